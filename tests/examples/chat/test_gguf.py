"""From GGUF to Hugging Face's files, with small ones that are made here."""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import gguf

CONVERT = os.path.join(os.environ["PYTHONPATH"].split(os.pathsep)[0], "convert.py")
F32, Q4_1, Q8_0 = 0, 3, 8
HEADS, KEY_HEADS, WIDTH, HIDDEN, WORDS = 2, 1, 32, 64, 7
TOKENS = ["<|im_start|>", "a", "b", "Ġ", "ab", "é", "Ċ"]
METADATA = {
    "general.architecture": "llama",
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": KEY_HEADS,
    "llama.rope.freq_base": 100000.0,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "smollm",
    "tokenizer.ggml.add_bos_token": False,
    "tokenizer.ggml.tokens": TOKENS,
    "tokenizer.ggml.token_type": [3, 1, 1, 1, 1, 1, 1],
    "tokenizer.ggml.merges": ["a b"],
}


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


def kind_and_bytes(value):
    if isinstance(value, bool):
        return 7, struct.pack("<?", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    if isinstance(value, str):
        return 8, text(value)
    kinds, values = zip(*map(kind_and_bytes, value))
    return 9, struct.pack("<IQ", kinds[0], len(values)) + b"".join(values)


def file_of(metadata, tensors, version=3):
    """The bytes of a file; tensors: (name, shape, the outermost axis first, type, data)."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    for key, value in metadata.items():
        kind, data = kind_and_bytes(value)
        head += text(key) + struct.pack("<I", kind) + data
    body = b""
    for name, shape, kind, data in tensors:
        head += text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape[::-1])
        head += struct.pack("<IQ", kind, len(body))
        body += data + bytes(-len(data) % 32)
    return head + bytes(-len(head) % 32) + body


def floats(values):
    return struct.pack(f"<{len(values)}f", *values)


def counting(*shape):
    """A tensor in f32 whose numbers count."""
    return shape, F32, floats(range(math.prod(shape)))


def block_q4_1(step, least, levels):
    halves = zip(levels[:16], levels[16:])
    return struct.pack("<ee", step, least) + bytes(low | high << 4 for low, high in halves)


def small_model():
    keys = WIDTH // HEADS * KEY_HEADS
    layer = {
        "attn_norm": counting(WIDTH),
        "attn_q": counting(WIDTH, WIDTH),
        "attn_k": counting(keys, WIDTH),
        "attn_v": counting(keys, WIDTH),
        "attn_output": counting(WIDTH, WIDTH),
        "ffn_norm": counting(WIDTH),
        "ffn_gate": counting(HIDDEN, WIDTH),
        "ffn_up": counting(HIDDEN, WIDTH),
        "ffn_down": counting(WIDTH, HIDDEN),
    }
    levels = [i % 16 for i in range(32)]
    table = b"".join(block_q4_1(0.5, -word, levels) for word in range(WORDS))
    return [("token_embd.weight", (WORDS, WIDTH), Q4_1, table),
            *((f"blk.{i}.{name}.weight", *layer[name]) for i in (0, 10) for name in layer),
            ("output_norm.weight", *counting(WIDTH))]


def read_safetensors(path):
    """Shape and numbers by name."""
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(size)), file.read()
    assert size % 8 == 0 and header.pop("__metadata__") == {"format": "pt"}
    tensors = {}
    for name, entry in header.items():
        assert entry["dtype"] == "F32"
        begin, end = entry["data_offsets"]
        tensors[name] = entry["shape"], struct.unpack(f"<{(end - begin) // 4}f", data[begin:end])
    return tensors


class GgufTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="a folder "))

    def write(self, data):
        path = os.path.join(self.folder, "model.gguf")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def convert(self, metadata=None, tensors=None):
        path = self.write(file_of(metadata or METADATA, tensors or small_model()))
        return subprocess.run([sys.executable, "-B", CONVERT, path, self.folder],
                              capture_output=True, text=True, check=False)

    def converted(self):
        done = self.convert()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return read_safetensors(os.path.join(self.folder, "model.safetensors"))

    def numbers(self, kind, count, data):
        file = gguf.Gguf(self.write(file_of({}, [("x", (count, ), kind, data)])))
        tensor = file.tensors["x"]
        return list(tensor.numbers(tensor.rows() if kind == F32 else [tensor.data]))

    def test_metadata_of_all_types(self):
        metadata = {**METADATA, "nested": [["a"], ["b", "c"]], "general.alignment": 32}
        found = gguf.Gguf(self.write(file_of(metadata, []))).metadata
        self.assertEqual(found, metadata)

    def test_f32(self):
        self.assertEqual(self.numbers(F32, 3, floats([1.5, -2, 0])), [1.5, -2, 0])

    def test_q4_1(self):
        levels = list(range(16)) + list(range(15, -1, -1))
        data = block_q4_1(0.25, -1.5, levels) + block_q4_1(-2, 8, levels)
        expected = [0.25 * level - 1.5 for level in levels] + [8 - 2 * level for level in levels]
        self.assertEqual(self.numbers(Q4_1, 64, data), expected)

    def test_q8_0(self):
        levels = list(range(-128, -96)), list(range(96, 128))
        data = b"".join(struct.pack("<e32b", step, *some) for step, some in zip((0.5, -4), levels))
        expected = [0.5 * level for level in levels[0]] + [-4 * level for level in levels[1]]
        self.assertEqual(self.numbers(Q8_0, 64, data), expected)

    def test_names_and_shapes_are_hugging_faces(self):
        found = self.converted()
        shapes = {
            "input_layernorm": [32], "self_attn.q_proj": [32, 32], "self_attn.k_proj": [16, 32],
            "self_attn.v_proj": [16, 32], "self_attn.o_proj": [32, 32],
            "post_attention_layernorm": [32], "mlp.gate_proj": [64, 32], "mlp.up_proj": [64, 32],
            "mlp.down_proj": [32, 64]
        }
        expected = {
            f"model.layers.{i}.{name}.weight": shape for i in (0, 10)
            for name, shape in shapes.items()
        }
        expected |= {"model.embed_tokens.weight": [7, 32], "model.norm.weight": [32]}
        self.assertEqual({name: shape for name, (shape, _) in found.items()}, expected)

    def test_rows_lie_where_they_did(self):
        found = self.converted()
        for name in ("self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.down_proj"):
            _, numbers = found[f"model.layers.10.{name}.weight"]
            self.assertEqual(list(numbers), list(range(len(numbers))), name)
        _, table = found["model.embed_tokens.weight"]
        self.assertEqual(table[3 * WIDTH:3 * WIDTH + 3], (-3, -2.5, -2))

    def test_queries_and_keys_turn_by_halves(self):
        found = self.converted()
        for name, heads in (("q_proj", HEADS), ("k_proj", KEY_HEADS)):
            _, numbers = found[f"model.layers.0.self_attn.{name}.weight"]
            rows = [int(number) // WIDTH for number in numbers[::WIDTH]]
            depth = len(rows) // heads
            for head in range(heads):
                first = rows[head * depth:head * depth + depth // 2]
                second = rows[head * depth + depth // 2:(head + 1) * depth]
                self.assertEqual(first, list(range(head * depth, (head + 1) * depth, 2)))
                self.assertEqual(second, [row + 1 for row in first])
            self.assertEqual(list(numbers[:WIDTH]), list(range(WIDTH)))

    def test_tokenizer(self):
        self.converted()
        with open(os.path.join(self.folder, "tokenizer.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(found["model"]["vocab"], {token: i for i, token in enumerate(TOKENS)})
        self.assertEqual(found["model"]["merges"], ["a b"])
        special, = found["added_tokens"]
        self.assertEqual((special["id"], special["content"], special["special"]),
                         (0, "<|im_start|>", True))
        digits, words = found["pre_tokenizer"]["pretokenizers"]
        self.assertEqual(digits, {"type": "Digits", "individual_digits": True})
        self.assertEqual((words["type"], words["add_prefix_space"]), ("ByteLevel", False))
        self.assertEqual(found["decoder"]["type"], "ByteLevel")

    def assert_fails(self, done, message):
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertIn(f"convert: error: {message}", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_other_models(self):
        self.assert_fails(
            self.convert({**METADATA, "general.architecture": "qwen2"}),
            f"'{self.folder}/model.gguf' is no SmolLM2: expected general.architecture 'llama', "
            "found 'qwen2'")
        self.assert_fails(self.convert(tensors=[("blk.0.attn_q.bias", *counting(2))]),
                          "tensor 'blk.0.attn_q.bias' is none of a SmolLM2")

    def test_other_types(self):
        self.assert_fails(self.convert(tensors=[("output_norm.weight", (32, ), 14, bytes(64))]),
                          f"'{self.folder}/model.gguf': tensor 'output_norm.weight' has type 14; "
                          "those known are 0, 3, 8")
        with self.assertRaisesRegex(gguf.GgufError, "has metadata of type 13, which is unknown"):
            data = file_of({"key": 1}, [])
            gguf.Gguf(self.write(data.replace(text("key") + b"\4", text("key") + b"\r")))

    def test_other_files(self):
        with self.assertRaisesRegex(gguf.GgufError, "is no GGUF file: it does not begin with GGUF"):
            gguf.Gguf(self.write(b"PK"))
        with self.assertRaisesRegex(gguf.GgufError, "has GGUF's version 1, expected 3"):
            gguf.Gguf(self.write(file_of({}, [], version=1)))
        whole = file_of(METADATA, small_model())
        for size in (4, 40, 700, len(whole) - 1):
            with self.assertRaisesRegex(gguf.GgufError, f"is cut off after {size} bytes"):
                gguf.Gguf(self.write(whole[:size]))
        missing = subprocess.run([sys.executable, "-B", CONVERT, self.folder + "/none", "."],
                                 capture_output=True, text=True, check=False)
        self.assert_fails(missing, "[Errno 2] No such file or directory")

    def test_usage(self):
        done = subprocess.run([sys.executable, "-B", CONVERT], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("usage: convert.py", done.stderr)


if __name__ == "__main__":
    unittest.main()

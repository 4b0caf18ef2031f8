"""check_fused.py mixer|latents|grouped GENERATOR: how a model computes after fusion, in each of its functions."""

import re
import subprocess
import sys

model, generator = sys.argv[1:]
graph = subprocess.run([generator, "--emit=fused"], capture_output=True, text=True, check=True).stdout
functions = re.split(r"func\.func @", graph)[1:]
assert len(functions) == 2, functions


def bodies(function, anchor):
    """The ops of each kernel with this anchor, as text."""
    return re.findall(rf'axloom\.kernel "{anchor}".*?\n(.*?)axloom\.yield', function, re.S)


for function in functions:
    if model == "latents":  # looking at the input, and latents at latents: one op in one kernel each
        attended = [re.findall(r'axloom\.attention .* key "(\w+)"', body) for body in bodies(function, "attention")]
        assert attended == [["input"], ["other"]], attended
        assert len(bodies(function, "attention_gradient")) == 2
        assert not re.search(r'axloom\.softmax .* over "(input|other)"', function)
    if model == "grouped":  # the heads of a group too
        assert len(bodies(function, "attention")) == len(bodies(function, "attention_gradient")) == 2
        assert not re.search(r'axloom\.softmax .* over "key"', function)
    if model == "mixer":  # both perceptrons of both layers end in one kernel with what follows them
        assert "axloom.attention" not in function
        ends = [body for body in bodies(function, "contraction") if "axloom.layer_norm" in body]
        mixed = [re.findall(r'axloom\.(?:contract .* over \["(\w+)"\]|(add|layer_norm))', body) for body in ends]
        mixed = [[name for pair in ops for name in pair if name] for ops in mixed]
        layer = [[axis, "add", "add", "layer_norm"] for axis in ("patch_hidden", "hidden")]
        assert mixed == [["pixel", "add", "layer_norm"], *layer, *layer], mixed
print("fused as it should be")

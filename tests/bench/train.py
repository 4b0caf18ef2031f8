"""PyTorch's side of `--quality`: trains and evaluates the model of examples/translate, eager, in f32
or with autocast to bf16.

python train.py DATA VOCABULARY SECONDS THREADS PRECISION layers=3 width=256 ...

Same model, initial distributions, dropout, loss, optimizer, schedule and batches as the trainer of
examples/translate, and like that it stands still between two steps where SIGTSTP asks for it. Prints
one JSON object; progress goes to standard error."""

import json
import math
import os
import random
import signal
import sys
import time

import sacrebleu
import sentencepiece
import torch

from peers.pytorch import transformer
from sizes import Size

PADDING, BEGIN, END = transformer.PADDING, 2, 3
BATCH_TOKENS = 2048  # positions in a batch on either side, as the trainer's --batch-tokens
BATCH_SENTENCES = 512
DECODED_TOGETHER = 32  # sentences


class Model(transformer.Transformer):
    """The products of `forward` have factors of a type; greedy decoding stays in f32."""

    def __init__(self, size, kind):
        super().__init__(size)
        self.kind = kind

    def forward(self, source, target):
        with torch.autocast("cpu", torch.bfloat16, enabled=self.kind == "bf16"):
            logits = super().forward(source, target)
        return logits.float()


def read_pairs(file):
    with open(file, encoding="utf8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def encode(pairs, vocabulary, longest):
    """Ids of both sides, with the end; pairs with a longer side are left out."""
    encoded = [[ids + [END] for ids in vocabulary.encode(pair)] for pair in pairs]
    return [pair for pair in encoded if max(map(len, pair)) <= longest]


def batches(pairs, shuffle):
    """Lists of pairs of similar length, each within the budget: runtime/data/PairBatches.cpp."""
    pairs = list(pairs)
    if shuffle:
        random.shuffle(pairs)
    pairs.sort(key=lambda pair: (len(pair[1]), len(pair[0])))
    found, batch, longest = [], [], 0
    for pair in pairs:
        longest = max(longest, *map(len, pair))
        if batch and (len(batch) == BATCH_SENTENCES or longest * (len(batch) + 1) > BATCH_TOKENS):
            found.append(batch)
            batch, longest = [], max(map(len, pair))
        batch.append(pair)
    found.append(batch)
    if shuffle:
        random.shuffle(found)
    return found


def padded(rows):
    return torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


def batch_loss(model, batch, smoothing, reduction):
    """The loss of a batch and its number of target tokens."""
    source, expected = padded([pair[0] for pair in batch]), padded([pair[1] for pair in batch])
    target = torch.cat((torch.full((len(batch), 1), BEGIN), expected[:, :-1]), 1)
    target[(expected == PADDING)] = PADDING
    loss = transformer.loss(model(source, target), expected, smoothing, reduction)
    return loss, int((expected != PADDING).sum())


class Stopwatch:
    """Seconds since it began, without those in which the process stood still. Until the end of the
    context SIGTSTP only asks for that."""

    def __enter__(self):
        self.asked = False
        signal.signal(signal.SIGTSTP, lambda *_: setattr(self, "asked", True))
        self.start = time.monotonic()
        return self

    def __exit__(self, *_):
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        self.stand_still_if_asked()

    def stand_still_if_asked(self):
        if self.asked:
            self.asked = False
            since = time.monotonic()
            os.kill(os.getpid(), signal.SIGSTOP)
            self.start += time.monotonic() - since

    def seconds(self):
        return time.monotonic() - self.start


def train(model, pairs, seconds, settings):
    """Trains for so long. Gives the number of steps and of target tokens."""
    optimizer = transformer.adam(model)
    model.train()
    step = tokens = 0
    with Stopwatch() as watch:
        while True:
            for batch in batches(pairs, shuffle=True):
                watch.stand_still_if_asked()
                elapsed = watch.seconds()
                if elapsed >= seconds:
                    return step, tokens
                step += 1
                rate = settings.get("rate_factor", 1) * settings["width"] ** -0.5 * min(
                    step ** -0.5, step * settings["warmup"] ** -1.5)
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss, count = batch_loss(model, batch, 0.1, "mean")
                loss.backward()
                optimizer.step()
                tokens += count
                if step % 100 == 0:
                    print(f"PyTorch: step {step}, {elapsed:.0f} of {seconds:.0f} s, "
                          f"loss {loss.item():.3f}", file=sys.stderr, flush=True)


@torch.inference_mode()
def perplexity(model, pairs):
    model.eval()
    total = tokens = 0
    for batch in batches(pairs, shuffle=False):
        loss, count = batch_loss(model, batch, 0, "sum")
        total += loss.item()
        tokens += count
    return math.exp(total / tokens)


@torch.inference_mode()
def greedy(model, sources, longest):
    """The most likely next token, one after the other, for a batch of sources (with their ends)."""
    source = padded(sources)
    memories, mask = model.memories(source), model.visible(source)
    caches = model.caches(len(sources), longest)
    token = torch.full((len(sources),), BEGIN)
    answers = [[] for _ in sources]
    speaking = set(range(len(sources)))
    for position in range(longest):
        token = model.step(token, position, caches, memories, mask).argmax(-1)
        for row, said in enumerate(token.tolist()):
            if said == END:
                speaking.discard(row)
            elif row in speaking:
                answers[row].append(said)
        if not speaking:
            break
    return answers


def translate(model, texts, vocabulary, longest):
    """Greedy translations; a text that is too long for the model has none."""
    model.eval()
    sources = [ids + [END] for ids in vocabulary.encode(texts)]
    order = sorted((i for i, ids in enumerate(sources) if 1 < len(ids) <= longest),
                   key=lambda i: len(sources[i]))
    translations = [""] * len(texts)
    for start in range(0, len(order), DECODED_TOGETHER):
        chosen = order[start:start + DECODED_TOGETHER]
        for i, ids in zip(chosen, greedy(model, [sources[i] for i in chosen], longest)):
            translations[i] = vocabulary.decode([id for id in ids if id not in (PADDING, BEGIN)])
    return translations


def main():
    data, vocabulary_file, seconds, threads, kind, *words = sys.argv[1:]
    torch.set_num_threads(int(threads))
    torch.manual_seed(1)
    random.seed(1)
    settings = {name: float(value) for name, value in (word.split("=") for word in words)}
    layers, width, heads, hidden, vocabulary_size, longest = (
        int(settings[name])
        for name in ("layers", "width", "heads", "hidden", "vocabulary", "length"))
    size = Size(layers, width, heads, hidden, vocabulary_size, batch=0, source=longest,
                target=longest, longest=longest)
    vocabulary = sentencepiece.SentencePieceProcessor(model_file=vocabulary_file)
    model = Model(size, kind)

    pairs = encode(read_pairs(f"{data}/train.tsv"), vocabulary, longest)
    steps, tokens = train(model, pairs, float(seconds), settings)
    valid = encode(read_pairs(f"{data}/valid.tsv"), vocabulary, longest)
    test = read_pairs(f"{data}/test.tsv")
    translations = translate(model, [pair[0] for pair in test], vocabulary, longest)
    bleu = sacrebleu.corpus_bleu(translations, [[pair[1] for pair in test]]).score
    print(json.dumps({"name": f"PyTorch {torch.__version__} eager", "steps": steps,
                      "tokens": tokens, "perplexity": perplexity(model, valid), "bleu": bleu}))


if __name__ == "__main__":
    main()

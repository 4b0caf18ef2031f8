"""Writes `forward` of examples/translate, with its parameters, as an ONNX file for the programs
that read such: python onnx_export.py JOB NAME=VALUE..., as peer.py is asked. Extents are fixed,
which suits all of them best."""

import sys

import torch

from job import Job
from peers.pytorch import tensor, translate


def main():
    job = Job.parse(sys.argv[1])
    values = {name: int(value) for name, value in (word.split("=") for word in sys.argv[2:])}
    example = job.example("forward", **values)
    texts = tuple(tensor(example[name]).long() for name in ("source", "target_in"))
    model = translate.Functions(job, **job.sizes).model.eval()
    torch.onnx.export(model, texts, job.onnx_file(), input_names=["source", "target_in"],
                      output_names=["logits"], dynamo=True, external_data=False, verbose=False)


if __name__ == "__main__":
    main()

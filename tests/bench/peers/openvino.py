"""OpenVINO: the forward of examples/translate, from the file that onnx_export.py writes.

Settings as its performance guides advise: latency as the goal, so many threads, arguments and
results shared with the caller; bf16 by the hint for the precision of inference."""

import numpy
import openvino


def name(_):
    return f"OpenVINO {openvino.__version__.split('-')[0]}"


def array(result):
    return numpy.asarray(result)


class Functions:
    def __init__(self, job):
        self.job = job
        self.model = openvino.Core().compile_model(
            job.onnx_file(), "CPU",
            {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": job.threads,
             "INFERENCE_PRECISION_HINT": job.type})

    def forward(self, **values):
        example = self.job.example("forward", **values)
        arguments = {argument: example[argument].astype(numpy.int64)
                     for argument in ("source", "target_in")}
        request = self.model.create_infer_request()

        def run():
            results = request.infer(arguments, share_inputs=True, share_outputs=True)
            return {"logits": results["logits"]}

        return run


def functions(job):
    return Functions(job)

"""ONNX Runtime: the forward of examples/translate, from the file that onnx_export.py writes.

Settings as its performance guides advise: all graph optimizations, so many threads in an operator
and one operator at a time, results into memory that is bound once; threads do not spin after a call.
"""

import numpy
import onnxruntime


def name(_):
    return f"ONNX Runtime {onnxruntime.__version__}"


def array(result):
    return result.numpy()


class Functions:
    def __init__(self, job):
        self.job = job
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.intra_op_num_threads, options.inter_op_num_threads = job.threads, 1
        options.add_session_config_entry("session.force_spinning_stop", "1")
        self.session = onnxruntime.InferenceSession(job.onnx_file(), options,
                                                    providers=["CPUExecutionProvider"])

    def forward(self, **values):
        example = self.job.example("forward", **values)
        binding = self.session.io_binding()
        for argument in ("source", "target_in"):
            binding.bind_cpu_input(argument, example[argument].astype(numpy.int64))
        logits = onnxruntime.OrtValue.ortvalue_from_shape_and_type(example["logits"].shape,
                                                                   numpy.float32)
        binding.bind_ortvalue_output("logits", logits)

        def run():
            self.session.run_with_iobinding(binding)
            return {"logits": logits}

        return run


def functions(job):
    return Functions(job)

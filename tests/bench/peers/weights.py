"""Our parameters of the translation model for its twins: linear maps of one input side by side,
each [outputs, inputs], under the names that the modules of pytorch/transformer.py have."""

import numpy


def linear(parameters, scope, *names):
    """Linear maps of one input, as one of [outputs, inputs]."""
    weights = [parameters[f"{scope}.{name}.weight"] for name in names]
    return numpy.concatenate([weight.reshape(-1, weight.shape[-1]) for weight in weights])


def output(parameters, scope):
    weight = parameters[f"{scope}.output.weight"]  # [width, heads, depth]
    return weight.reshape(len(weight), -1)


def layer_weights(parameters, scope, decoder):
    own, cross = f"{scope}.attention", f"{scope}.cross_attention"
    weights = {"self_attention.all.weight": linear(parameters, own, "query", "key", "value"),
               "self_attention.output.weight": output(parameters, own)}
    if decoder:
        weights |= {"cross_attention.query.weight": linear(parameters, cross, "query"),
                    "cross_attention.memory.weight": linear(parameters, cross, "key", "value"),
                    "cross_attention.output.weight": output(parameters, cross)}
    renamed = {"feed_forward.inner": "feed_forward.0", "feed_forward.outer": "feed_forward.2"}
    normed = ("attention", *(["cross_attention"] if decoder else []), "feed_forward")
    renamed |= {f"{sublayer}.norm": f"norms.{i}" for i, sublayer in enumerate(normed)}
    for name, other in renamed.items():
        for kind in ("weight", "bias"):
            weights[f"{other}.{kind}"] = parameters[f"{scope}.{name}.{kind}"]
    return weights


def translate_weights(parameters, layers):
    weights = {"embedding.weight": parameters["embedding.weight"]}
    for side in ("encoder", "decoder"):
        for i in range(layers):
            layer = layer_weights(parameters, f"{side}.{i}", decoder=side == "decoder")
            weights |= {f"{side}.{i}.{name}": weight for name, weight in layer.items()}
    return weights

"""JAX, compiled by XLA: the model of examples/translate.

Settings as JAX's guides advise: one program for a forward or a whole step (jax.jit), the step's
state donated, jax.nn.dot_product_attention; bf16 as mixed precision, with parameters, norms and loss
in f32. XLA takes its number of threads from the environment (../environments.py)."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy

from peers.weights import translate_weights
from sizes import Size

PADDING = 0
DROPOUT, SMOOTHING = 0.1, 0.1
RATE, BETA1, BETA2, EPSILON = 1e-4, 0.9, 0.98, 1e-9


def name(_):
    return f"JAX {jax.__version__}"


def array(result):
    return numpy.asarray(result, numpy.float32)


def positions(length, width):
    angle = numpy.arange(length)[:, None] / 10000 ** (numpy.arange(0, width, 2) / width)
    return numpy.stack((numpy.sin(angle), numpy.cos(angle)), -1).reshape(length, width)


def visible(tokens):  # [batch, position] -> [batch, 1, 1, position]
    return (tokens != PADDING)[:, None, None, :]


class Transformer:
    """A call of the model. parameters: by name, linear maps [inputs, outputs]."""

    def __init__(self, parameters, size, dtype, key=None):
        self.parameters, self.size, self.dtype, self.key = parameters, size, dtype, key

    def linear(self, scope, x):
        y = x @ self.parameters[scope + ".weight"].astype(self.dtype)
        bias = self.parameters.get(scope + ".bias")
        return y if bias is None else y + bias.astype(self.dtype)

    def dropout(self, x):
        """Nothing in inference, which has no key."""
        if self.key is None:
            return x
        self.key, key = jax.random.split(self.key)
        return jnp.where(jax.random.bernoulli(key, 1 - DROPOUT, x.shape), x / (1 - DROPOUT), 0)

    def join(self, scope, x, y):
        """The norm of a sum, in f32."""
        x = (x + self.dropout(y)).astype(jnp.float32)
        x = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
        x = x * self.parameters[scope + ".weight"] + self.parameters[scope + ".bias"]
        return x.astype(self.dtype)

    def attend(self, scope, q, k, v, mask):
        q, k, v = (x.reshape(*x.shape[:2], self.size.heads, -1) for x in (q, k, v))
        y = jax.nn.dot_product_attention(q, k, v, mask=mask)
        return self.linear(scope + ".output", y.reshape(*y.shape[:2], -1))

    def self_attention(self, scope, x, mask):
        return self.attend(scope, *jnp.split(self.linear(scope + ".all", x), 3, -1), mask)

    def cross_attention(self, scope, x, memory, mask):
        keys_and_values = jnp.split(self.linear(scope + ".memory", memory), 2, -1)
        return self.attend(scope, self.linear(scope + ".query", x), *keys_and_values, mask)

    def feed_forward(self, scope, x):
        return self.linear(scope + ".2", jax.nn.relu(self.linear(scope + ".0", x)))

    def embed(self, tokens):
        x = self.parameters["embedding.weight"][tokens] * self.size.width ** 0.5
        places = positions(tokens.shape[1], self.size.width)
        return self.dropout((x + places).astype(self.dtype))

    def encode(self, source):
        x = self.embed(source)
        for i in range(self.size.layers):
            layer = f"encoder.{i}"
            y = self.self_attention(layer + ".self_attention", x, visible(source))
            x = self.join(layer + ".norms.0", x, y)
            x = self.join(layer + ".norms.1", x, self.feed_forward(layer + ".feed_forward", x))
        return x

    def decode(self, memory, source, target):
        length = target.shape[1]
        mask = jnp.tril(jnp.ones((length, length), bool)) & visible(target)
        x = self.embed(target)
        for i in range(self.size.layers):
            layer = f"decoder.{i}"
            y = self.self_attention(layer + ".self_attention", x, mask)
            x = self.join(layer + ".norms.0", x, y)
            y = self.cross_attention(layer + ".cross_attention", x, memory, visible(source))
            x = self.join(layer + ".norms.1", x, y)
            x = self.join(layer + ".norms.2", x, self.feed_forward(layer + ".feed_forward", x))
        return x

    def logits(self, source, target):
        x = self.decode(self.encode(source), source, target)
        return x @ self.parameters["embedding.weight"].T.astype(self.dtype)

    def loss(self, source, target, expected):
        """Cross entropy of the tokens that are no padding, with label smoothing."""
        logs = jax.nn.log_softmax(self.logits(source, target).astype(jnp.float32))
        hit = jnp.take_along_axis(logs, expected[..., None], -1)[..., 0]
        losses = -(1 - SMOOTHING) * hit - SMOOTHING * logs.mean(-1)
        real = expected != PADDING
        return jnp.where(real, losses, 0).sum() / real.sum()


def adam(parameters, gradients, means, squares, step):
    """The next parameters and moments; the steps count from 1."""
    means = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, means, gradients)
    squares = jax.tree.map(lambda s, g: BETA2 * s + (1 - BETA2) * g * g, squares, gradients)

    def moved(parameter, mean, square):
        square = square / (1 - BETA2 ** step)
        return parameter - RATE * mean / (1 - BETA1 ** step) / (jnp.sqrt(square) + EPSILON)

    return jax.tree.map(moved, parameters, means, squares), means, squares


class Functions:
    def __init__(self, job):
        self.job = job
        self.size = Size(**job.sizes)
        self.dtype = jnp.bfloat16 if job.type == "bf16" else jnp.float32

    def parameters(self):
        weights = translate_weights(self.job.parameters(), self.size.layers)
        return {name: jnp.asarray(weight.T if weight.ndim == 2 and name != "embedding.weight"
                                  else weight) for name, weight in weights.items()}

    def arguments(self, function, names, values):
        example = self.job.example(function, **values)
        return [jnp.asarray(example[name]) for name in names]

    def forward(self, **values):
        texts = self.arguments("forward", ("source", "target_in"), values)
        parameters = {name: weight.astype(self.dtype) if weight.ndim == 2 else weight
                      for name, weight in self.parameters().items()}

        @jax.jit
        def logits(parameters, source, target):
            return Transformer(parameters, self.size, self.dtype).logits(source, target)

        return lambda: {"logits": logits(parameters, *texts).block_until_ready()}

    def train_step(self, **values):
        texts = self.arguments("train_step", ("source", "target_in", "target_out"), values)
        parameters = self.parameters()
        state = (parameters, *(jax.tree.map(jnp.zeros_like, parameters) for _ in range(2)))
        key, steps = jax.random.key(values["seed"]), 0

        @partial(jax.jit, donate_argnums=0)
        def step(state, texts, key, number):
            def loss(parameters):
                return Transformer(parameters, self.size, self.dtype, key).loss(*texts)

            parameters, *moments = state
            value, gradients = jax.value_and_grad(loss)(parameters)
            return adam(parameters, gradients, *moments, number), value

        def run():
            nonlocal state, steps
            steps += 1
            state, loss = step(state, texts, jax.random.fold_in(key, steps), float(steps))
            return {"loss": jax.block_until_ready((loss, state))[0]}

        return run


def functions(job):
    return Functions(job)

/** Ticks once a second: a worker does so in a hidden page too, whose own timers the browser slows down to one a minute. */
setInterval(() => postMessage(null), 1_000)

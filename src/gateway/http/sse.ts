/**
 * Headers of every event stream (WHATWG HTML, 9.2): nothing on the way may cache or buffer it.
 * `x-accel-buffering` says so to nginx (its ngx_http_proxy_module, `proxy_buffering`).
 */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const

/** A comment, which clients ignore (WHATWG HTML, 9.2.6). */
export const keepAliveComment = ': keep-alive\n\n'

/** Headers of every event stream: nothing on the way may keep or hold it back. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const

/** A comment that clients ignore. */
export const keepAliveComment = ': keep-alive\n\n'

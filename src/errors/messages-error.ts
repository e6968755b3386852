/** Our error object, as any body that carries one. */
interface Body {
  readonly error?: unknown
}

/**
 * Our error object in the frame of the Messages format, whose official clients find its code in
 * `details`.
 */
export function messagesError(body: Body, requestId: string) {
  const error = Object(body.error) as Readonly<Record<string, unknown>>
  const { code } = error
  return {
    type: 'error',
    error: typeof code === 'string' ? { ...error, details: { error_code: code } } : error,
    request_id: requestId,
  }
}

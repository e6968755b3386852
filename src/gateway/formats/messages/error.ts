import { saysTooLong } from '../context-length'

/** Our error object, as any body that carries one. */
interface Body {
  readonly error?: unknown
}

/**
 * By these words Claude Code knows that it must compact what it sends (anthropics/claude-code
 * `CHANGELOG.md`).
 */
const tooLong = 'prompt is too long'

const isTooLong = ({ code, message }: Readonly<Record<string, unknown>>): boolean =>
  code === 'upstream_rejected' &&
  typeof message === 'string' &&
  saysTooLong(message) &&
  !message.toLowerCase().includes(tooLong)

/**
 * Our error object in the frame of the Messages format, whose official clients find its code in
 * `details` (anthropics/anthropic-sdk-typescript 1.11.0, `src/core/error.ts`).
 */
export function messagesError(body: Body, requestId: string) {
  const told = Object(body.error) as Readonly<Record<string, unknown>>
  const { code } = told
  const error = isTooLong(told)
    ? { ...told, message: `${String(told['message'])} (${tooLong})` }
    : told
  return {
    type: 'error',
    error: typeof code === 'string' ? { ...error, details: { error_code: code } } : error,
    request_id: requestId,
  }
}

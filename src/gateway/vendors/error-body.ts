import { isFields, type Fields } from '../json/fields'

/** The parts of an error body that decide, from any of the shapes vendors use. */
export interface ReportedError {
  readonly message: string
  /** Code, type and inner code, in small letters. */
  readonly codes: string
  /** Type and code apart, as they were written. */
  readonly type: string | null
  readonly code: string | null
  readonly param: string | null
  /** An HTTP status that the body itself names. */
  readonly status: number | null
}

const nothing: ReportedError = {
  message: '',
  codes: '',
  type: null,
  code: null,
  param: null,
  status: null,
}
const maxParamChars = 128

/**
 * Reads an error body: `error` as an object (OpenAI and most) or a text (xAI), flat (Mistral, old vLLM), in
 * an array (Google's imitation of the reference), `detail` as a text, an object (ElevenLabs) or a list
 * (FastAPI), or plain text. What repeats the client's input is not read.
 * @param body parsed; the text itself when it is no JSON
 */
export function readReportedError(body: unknown): ReportedError {
  const first: unknown = Array.isArray(body) ? body[0] : body
  // A page of a proxy in between says nothing to anybody.
  if (typeof first === 'string')
    return /^\s*</.test(first) ? nothing : { ...nothing, message: first }
  if (!isFields(first)) return nothing
  const { error, detail } = first
  if (isFields(error)) return withInner(flat(error), error)
  if (typeof error === 'string') return { ...flat(first), message: error }
  if (detail !== undefined && detail !== null) {
    const of = flat(first)
    const reported = detailOf(detail)
    return {
      ...of,
      ...reported,
      codes: `${of.codes} ${reported.codes}`.trim(),
      type: of.type ?? reported.type,
      code: of.code ?? reported.code,
    }
  }
  return flat(first)
}

/** OpenRouter wraps the true words of the vendor that failed in `metadata`. */
function withInner(said: ReportedError, { metadata }: Fields): ReportedError {
  const raw = isFields(metadata) ? metadata['raw'] : undefined
  if (typeof raw !== 'string' && !isFields(raw)) return said
  const inner = readReportedError(typeof raw === 'string' ? jsonOr(raw) : raw)
  return {
    ...said,
    message: inner.message === '' ? said.message : inner.message,
    codes: `${said.codes} ${inner.codes}`.trim(),
    type: inner.type ?? said.type,
    code: inner.code ?? said.code,
    param: said.param ?? inner.param,
  }
}

function flat(error: Fields): ReportedError {
  const { message, msg, err_msg, code, err_code, type, status, param, innererror } = error
  const inner = isFields(innererror) ? innererror['code'] : undefined
  const codes = [code, err_code, type, status, inner].map(text).filter((each) => each !== '')
  return {
    message: isFields(message)
      ? readReportedError(message).message
      : text(message ?? msg ?? err_msg),
    codes: codes.join(' ').toLowerCase(),
    type: text(type ?? status) || null,
    code: text(code ?? err_code) || null,
    param: paramOf(param),
    status: [status, code].map(Number).find(isFailure) ?? null,
  }
}

function detailOf(detail: unknown): Omit<ReportedError, 'status'> {
  const one: unknown = Array.isArray(detail) ? detail[0] : detail
  if (!isFields(one)) return { message: text(one), codes: '', type: null, code: null, param: null }
  const { status: _, ...said } = flat(one)
  const { loc } = one
  if (!Array.isArray(loc)) return said
  // Validators say where: ["body", "messages", 0, "role"].
  const place = loc.filter((step) => step !== 'body').join('.')
  return { ...said, param: said.param ?? paramOf(place) }
}

const paramOf = (param: unknown): string | null =>
  typeof param === 'string' && param !== '' && param.length <= maxParamChars ? param : null

const isFailure = (status: number): boolean =>
  Number.isInteger(status) && status >= 400 && status < 600

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Parses JSON; a text that is none comes back unchanged. */
export function jsonOr(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

import { expect } from 'bun:test'
import { eventsOf } from '../support/sse'

/** Status of each code that a vendor's fault may have (the specification, "Errors"). */
const statuses: Readonly<Record<string, number>> = {
  upstream_error: 502,
  upstream_unreachable: 502,
  upstream_rejected: 400,
  upstream_rate_limited: 429,
  upstream_capacity_full: 429,
  model_temporarily_unavailable: 503,
}
const reasons = ['stop', 'length', 'tool_calls', 'content_filter']

/** Members that matter here; what stands in them is looked at. */
interface Said {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: readonly {
    readonly id?: unknown
    readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
  }[]
}
interface Answer {
  readonly id: string
  readonly object: string
  readonly model: string
  readonly choices: readonly {
    readonly index: number
    readonly message?: Said
    readonly delta?: Said
    readonly logprobs?: unknown
    readonly finish_reason: string | null
  }[]
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
  readonly error?: { readonly code: string }
}

/**
 * How a call ended: `answer`, or the code of its error. What has another form than an answer, an error or a stream
 * fails the test.
 */
export function endingOf(response: Response, text: string, stream: boolean): string {
  const { status, headers } = response
  if (status !== 200) {
    const { code } = (JSON.parse(text) as { error: { code: string } }).error
    expect({ code, status }).toEqual({ code, status: statuses[code] ?? 0 })
    expect(headers.get('content-type')).toStartWith('application/json')
    const wait = headers.get('retry-after')
    if (wait !== null) expect(wait).toMatch(/^[1-9]\d?$/)
    return code
  }
  const id = headers.get('x-request-id') ?? ''
  if (!stream) {
    const answer = JSON.parse(text) as Answer
    checkAnswer(answer, id)
    checkUsage(answer)
    for (const { finish_reason: reason } of answer.choices) expect(reasons).toContain(reason ?? '')
    return 'answer'
  }
  expect(headers.get('content-type')).toStartWith('text/event-stream')
  const events = eventsOf(text)
  expect(events.pop()).toBe('[DONE]')
  const answers = events.map((data) => JSON.parse(data) as Answer)
  const failed = answers.find(({ error }) => error !== undefined)
  for (const answer of answers) if (answer.error === undefined) checkAnswer(answer, id)
  checkUsage(answers.at(-1))
  return failed?.error?.code ?? 'answer'
}

const isTextOrNone = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string'

function checkAnswer({ id, object, choices }: Answer, requestId: string): void {
  expect(id).toBe(requestId)
  expect(object).toStartWith('chat.completion')
  for (const { index, message, delta, logprobs, finish_reason: reason } of choices) {
    expect(Number.isSafeInteger(index) && index >= 0).toBe(true)
    if (reason !== null) expect(reasons).toContain(reason)
    expect(typeof (logprobs ?? {})).toBe('object')
    const { content, refusal, tool_calls: calls = [] } = message ?? delta ?? {}
    expect([content, refusal].every(isTextOrNone)).toBe(true)
    for (const { id, function: called } of calls) {
      if (message !== undefined)
        expect([typeof id, typeof called?.name]).toEqual(['string', 'string'])
      expect([id, called?.name, called?.arguments].every(isTextOrNone)).toBe(true)
    }
  }
}

function checkUsage(answer: Answer | undefined): void {
  const { prompt_tokens: input, completion_tokens: output } = answer?.usage ?? {}
  for (const count of [input, output])
    expect(Number.isSafeInteger(count) && Number(count) >= 0).toBe(true)
}

import type { SandboxAnswer } from './text'
import type { ToolCall } from './tool-calls'
import { piecesOf } from './tokens'

/** Envelope of an answer. */
interface Wrapping {
  readonly model: string
  /** How many times the answer is given. */
  readonly choices: number
  /** Whether a stream tells its usage. */
  readonly usage: boolean
}

const id = 'chatcmpl-sandbox'
const created = 1_760_000_000
const maker = { service_tier: 'default', system_fingerprint: 'fp_sandbox' }

const usageOf = (answer: SandboxAnswer, choices: number) => ({
  prompt_tokens: answer.promptTokens,
  completion_tokens: answer.completionTokens * choices,
  total_tokens: answer.promptTokens + answer.completionTokens * choices,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: answer.reasoningTokens * choices,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

const callOf = ({ id: callId, name, arguments: text }: ToolCall) => ({
  id: callId,
  type: 'function',
  function: { name, arguments: text },
})

/** A whole reply in the reference format. */
export function wholeReply(answer: SandboxAnswer, { model, choices }: Wrapping): string {
  const message = {
    role: 'assistant',
    content: answer.calls.length > 0 ? null : answer.text,
    refusal: null,
    annotations: [],
    ...(answer.reasoning === null ? {} : { reasoning_content: answer.reasoning }),
    ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(callOf) }),
  }
  // The same for each choice, and most of the answer.
  const said = `"message":${JSON.stringify(message)},"logprobs":null,"finish_reason":"${answer.finish}"`
  const given = Array.from({ length: choices }, (_, index) => `{"index":${index},${said}}`)
  const head = JSON.stringify({ id, object: 'chat.completion', created, model })
  const tail = JSON.stringify({ usage: usageOf(answer, choices), ...maker })
  return `${head.slice(0, -1)},"choices":[${given.join(',')}],${tail.slice(1)}`
}

/** The events of a stream in the reference format, the choices taking turns, the terminator last. */
export function* streamEvents(answer: SandboxAnswer, wrapping: Wrapping): Generator<string, void> {
  const { model, choices, usage } = wrapping
  const head = `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...maker }).slice(0, -1)},`
  const end = usage ? ',"usage":null}\n\n' : '}\n\n'
  const says = (index: number, delta: object, finish: string | null): string =>
    `${head}"choices":[{"index":${index},"delta":${JSON.stringify(delta)},"logprobs":null,` +
    `"finish_reason":${JSON.stringify(finish)}}]${end}`

  for (const delta of deltasOf(answer))
    for (let index = 0; index < choices; index++) yield says(index, delta, null)
  for (let index = 0; index < choices; index++) yield says(index, {}, answer.finish)
  if (usage) yield `${head}"choices":[],"usage":${JSON.stringify(usageOf(answer, choices))}}\n\n`
  yield 'data: [DONE]\n\n'
}

function* deltasOf(answer: SandboxAnswer): Generator<object> {
  const content = answer.calls.length > 0 ? null : ''
  yield { role: 'assistant', content, refusal: null }
  for (const piece of piecesOf(answer.reasoning ?? '')) yield { reasoning_content: piece }
  for (const piece of piecesOf(answer.text)) yield { content: piece }
  for (const [index, call] of answer.calls.entries())
    yield { tool_calls: [{ index, ...callOf({ ...call, arguments: '' }) }] }
  // Real vendors interleave the arguments of parallel calls.
  const pieces = answer.calls.map((call) => argumentPieces(call.arguments))
  for (let said = true; said;) {
    said = false
    for (const [index, each] of pieces.entries()) {
      const { done, value } = each.next()
      if (done === true) continue
      said = true
      yield { tool_calls: [{ index, function: { arguments: value } }] }
    }
  }
}

/** Letters of arguments in an event. */
const argumentLetters = 8

function* argumentPieces(text: string): Generator<string, void> {
  for (let at = 0, end; at < text.length; at = end) {
    end = at + argumentLetters
    // A letter of two halves is not cut.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end++
    yield text.slice(at, end)
  }
}

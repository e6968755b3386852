import { piecesOf, type SandboxAnswer } from './text'

const id = 'chatcmpl-sandbox'
const created = 1_760_000_000

const usageOf = (answer: SandboxAnswer, choices: number) => ({
  prompt_tokens: answer.promptTokens,
  completion_tokens: answer.completionTokens * choices,
  total_tokens: answer.promptTokens + answer.completionTokens * choices,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: answer.reasoningTokens * choices },
})

const callOf = ({ id: callId, name, arguments: text }: SandboxAnswer['calls'][number]) => ({
  id: callId,
  type: 'function',
  function: { name, arguments: text },
})

/** A whole reply in the reference format. */
export function wholeReply(answer: SandboxAnswer, model: string, choices: number): string {
  const message = {
    role: 'assistant',
    content: answer.calls.length > 0 ? null : answer.text,
    refusal: null,
    ...(answer.reasoning === null ? {} : { reasoning_content: answer.reasoning }),
    ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(callOf) }),
  }
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created,
    model,
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      message,
      logprobs: null,
      finish_reason: answer.finish,
    })),
    usage: usageOf(answer, choices),
  })
}

/** The events of a stream in the reference format, the terminator last. */
export function streamEvents(answer: SandboxAnswer, model: string, choices: number): string[] {
  const base = { id, object: 'chat.completion.chunk', created, model }
  const event = (rest: object) => `data: ${JSON.stringify({ ...base, ...rest })}\n\n`
  const says = (index: number, delta: object, finish: string | null = null) =>
    event({ choices: [{ index, delta, logprobs: null, finish_reason: finish }], usage: null })
  const ofChoice = (index: number): string[] => [
    says(index, { role: 'assistant', content: '', refusal: null }),
    ...piecesOf(answer.reasoning ?? '').map((piece) => says(index, { reasoning_content: piece })),
    ...piecesOf(answer.text).map((piece) => says(index, { content: piece })),
    ...answer.calls.map((call, at) =>
      says(index, {
        tool_calls: [{ index: at, ...callOf({ ...call, arguments: '' }) }],
      }),
    ),
    ...interleaved(answer).map(([at, text]) =>
      says(index, { tool_calls: [{ index: at, function: { arguments: text } }] }),
    ),
    says(index, {}, answer.finish),
  ]
  return [
    ...Array.from({ length: choices }, (_, index) => ofChoice(index)).flat(),
    event({ choices: [], usage: usageOf(answer, choices) }),
    'data: [DONE]\n\n',
  ]
}

/** Arguments in pieces, the calls taking turns, as real vendors interleave parallel calls. */
function interleaved(answer: SandboxAnswer): [number, string][] {
  const cut = answer.calls.map((call) => call.arguments.match(/.{1,8}/gsu) ?? [])
  const longest = Math.max(0, ...cut.map((pieces) => pieces.length))
  return Array.from({ length: longest }, (_, turn) =>
    cut.flatMap((pieces, at): [number, string][] => {
      const piece = pieces[turn]
      return piece === undefined ? [] : [[at, piece]]
    }),
  ).flat()
}

import { readAnswer, sendCall, type EndedCall } from './metered-call'

/** Request of a trial call with the key itself, as any program would send it. */
export interface TrialCall {
  readonly key: string
  readonly model: string
  readonly prompt: string
  /** Errors come in this language. */
  readonly locale: string
}

const maxTokens = 300

const send = (
  { key, model, prompt, locale }: TrialCall,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> =>
  sendCall('/v1/chat/completions', {
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-language': locale,
      ...headers,
    },
    // The key alone speaks, as in a program.
    credentials: 'omit',
    body: JSON.stringify({
      model,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: maxTokens,
      messages: [{ role: 'user', content: prompt }],
    }),
    ...(signal === undefined ? {} : { signal }),
  })

/** Upper bound of a call's cost, as a decimal string: a dry run, which charges nothing. @throws CallError */
export async function trialCost(call: TrialCall): Promise<string> {
  const response = await send(call, { 'x-dry-run': '1' })
  const { estimate } = (await response.json()) as { estimate: { high: { usd: string } } }
  return estimate.high.usd
}

/**
 * Sends the call.
 * @param onText told of each piece of the answer
 * @throws CallError
 */
export async function trialAnswer(
  call: TrialCall,
  onText: (piece: string) => void,
  signal: AbortSignal,
): Promise<EndedCall> {
  return await readAnswer(await send(call, {}, signal), ({ text }) => onText(text))
}

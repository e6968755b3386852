import { urlCitation } from '../chat/citations'
import { fieldsOf, isText, listOf, type Fields } from '../../json/fields'
import { type FinishReason } from '../chat/wire'
import type { ProviderState } from '../hub'

/** Finish reason of a response (`status`, `incomplete_details` of `Response`), in the words of chat. */
export function finishOf(response: Fields, called: boolean): FinishReason {
  const { reason } = fieldsOf(response['incomplete_details'])
  if (reason === 'content_filter') return 'content_filter'
  if (reason === 'max_output_tokens' || response['status'] === 'incomplete') return 'length'
  return called ? 'tool_calls' : 'stop'
}

/** Log probabilities of tokens, with every member that chat has. */
export const tokensOf = (raw: unknown): readonly Fields[] =>
  listOf(raw).map((each) => {
    const { token, logprob, bytes = null, top_logprobs: top } = fieldsOf(each)
    const others = listOf(top).map((other) => ({ bytes: null, ...fieldsOf(other) }))
    return { token, logprob, bytes, top_logprobs: others }
  })

/** A citation in the chat's shape; null for those that chat does not know. */
export function annotationOf(raw: unknown): Fields | null {
  const { type, start_index, end_index, url, title } = fieldsOf(raw)
  if (type !== 'url_citation' || !isText(url)) return null
  return { type, url_citation: urlCitation({ start_index, end_index, url, title }) }
}

/** Reasoning with `encrypted_content`, which can be given back to a vendor that kept nothing of it. */
export function providerStatesOf(
  reasoning: readonly Fields[],
  callIds: readonly string[],
): readonly ProviderState[] {
  const sealed = reasoning
    .filter((item) => typeof item['encrypted_content'] === 'string')
    .map(({ id, summary, encrypted_content }) => ({
      type: 'reasoning',
      id,
      summary: listOf(summary),
      encrypted_content,
    }))
  return sealed.length === 0 || callIds.length === 0
    ? []
    : [{ choice: 0, callIds, value: sealed, isSealed: true }]
}

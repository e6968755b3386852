import type { RequestParts } from '../../call/endpoint'
import { requestedEffort } from '../../formats/reasoning'
import type { Target } from '../../vendors/vendor'
import type { CountedText } from './text-estimate'

/** A model that thinks may take so many times as long. */
const thinkingFactor = 2
/** Thirty seconds for each 100,000 tokens of the prompt, which are read first. */
const msPerPromptToken = 0.3

/**
 * How long a vendor may take until the first output of a stream, or to the end of a whole answer: its own timeout.
 * For streams the first that is set counts: the model's, the vendor's, that of the operator's setting. More for thinking
 * and for long prompts.
 */
export function answerTimeoutMs(
  {
    body,
    input,
    stream,
    isCollected,
  }: Pick<CountedText, 'body' | 'input' | 'stream' | 'isCollected'>,
  { config, traits }: Pick<Target, 'config' | 'traits'>,
  { settings, offer }: Pick<RequestParts, 'settings' | 'offer'>,
): number {
  const { timeoutMs, firstTokenTimeoutMs } = config
  const { firstTokenSeconds } = traits
  const ofModel = firstTokenSeconds === undefined ? null : firstTokenSeconds * 1000
  // A stream that is put together to a whole answer has as long as one.
  const usualMs =
    stream && isCollected !== true
      ? (ofModel ?? firstTokenTimeoutMs ?? settings.firstTokenTimeout ?? timeoutMs)
      : timeoutMs
  const effort = requestedEffort(body)
  const thinks =
    effort === null
      ? traits.reasoning === true || offer.model.capabilities.reasoning === true
      : effort !== 'none'
  return Math.ceil((thinks ? usualMs * thinkingFactor : usualMs) + input.tokens * msPerPromptToken)
}

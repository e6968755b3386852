import type { AskParts } from '../call/endpoint'
import type { ClientMark } from '../vendors/vendor'

/** What of a mark differs from call to call. */
type OwnMark = Pick<ClientMark, 'stream'> &
  Partial<Pick<ClientMark, 'recall' | 'answerName' | 'conditions'>>

const knowsNothing = () => undefined

/** What a vendor is told of a client and of the operator's will, with every request. */
export const clientMark = (
  { safetyId, settings }: Pick<AskParts, 'safetyId' | 'settings'>,
  { stream, recall = knowsNothing, answerName = knowsNothing, conditions = null }: OwnMark,
): ClientMark => ({
  safetyId,
  stream,
  recall,
  answerName,
  mayKeep: settings.vendorStore,
  cachePrompt: settings.promptCache,
  conditions,
})

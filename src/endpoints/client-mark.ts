import type { AskParts } from '../call/endpoint'
import type { ClientMark } from '../vendors/vendor'

/** What of a mark differs from call to call. */
type OwnMark = Pick<ClientMark, 'stream' | 'answerName' | 'conditions'> &
  Partial<Pick<ClientMark, 'recall'>>

const knowsNothing = () => undefined

/** What a vendor is told of a client and of the operator's will, with every request. */
export const clientMark = (
  { safetyId, settings }: Pick<AskParts, 'safetyId' | 'settings'>,
  { recall = knowsNothing, ...own }: OwnMark,
): ClientMark => ({
  safetyId,
  recall,
  mayKeep: settings.vendorStore,
  cachePrompt: settings.promptCache,
  ...own,
})

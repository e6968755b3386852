import type { RequestParts } from '../call/endpoint'
import type { ClientMark } from '../vendors/vendor'

/** Members of a mark that differ from call to call. */
type OwnMark = Pick<ClientMark, 'stream'> &
  Partial<Pick<ClientMark, 'recall' | 'answerName' | 'conditions'>>

type MarkedCall = Pick<RequestParts, 'safetyId' | 'settings' | 'withoutSealed'>

const knowsNothing = () => undefined

/** Client data and operator's choices that go to a vendor with every request. */
export const clientMark = (
  { safetyId, settings, withoutSealed }: MarkedCall,
  { stream, recall = knowsNothing, answerName = knowsNothing, conditions = null }: OwnMark,
): ClientMark => ({
  safetyId,
  stream,
  recall,
  answerName,
  mayKeep: settings.vendorStore,
  cachePrompt: settings.promptCache,
  conditions,
  withoutSealed: withoutSealed === true,
})

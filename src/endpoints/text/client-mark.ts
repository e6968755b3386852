import type { ClientMark } from '../../vendors/vendor'
import type { AskParts } from '../../call/endpoint'

/**
 * What a vendor is told of a client and of the operator's will, with every request.
 * @param recall what the vendor wanted back; nothing unless told otherwise
 * @param conditions of the client, as this vendor is to be told them
 */
export const clientMark = (
  { safetyId, settings }: Pick<AskParts, 'safetyId' | 'settings'>,
  stream: boolean,
  recall: ClientMark['recall'] = () => undefined,
  conditions: ClientMark['conditions'] = null,
): ClientMark => ({
  safetyId,
  stream,
  recall,
  mayKeep: settings.vendorStore,
  cachePrompt: settings.promptCache,
  conditions,
})

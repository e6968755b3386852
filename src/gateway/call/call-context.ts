import type { Offer } from '../catalogue/catalogue'
import type { Caller } from '../../domain/caller'
import type { ProjectId } from '../../domain/ids'
import type { EndpointName } from '../../domain/model'
import type { CallOpening } from '../../domain/record'
import type { Inbound } from '../http/inbound'
import type { RequestParts } from './endpoint'

/** Caller, request and offer of a call. */
export interface CallContext {
  readonly caller: Caller
  readonly offer: Offer
  readonly inbound: Inbound
  /** As of `RequestParts`. */
  readonly isFallback?: true
}

/** Facts of a call when its money is held. */
export const openingOf = (
  { caller, offer, inbound }: CallContext,
  endpoint: EndpointName,
  streamed: boolean,
): CallOpening => ({
  id: inbound.requestId,
  account: caller.account.id,
  project: caller.project.id,
  key: caller.key.id,
  endpoint,
  model: offer.model.id,
  streamed,
  address: inbound.address,
  created: inbound.received,
  cardVersion: offer.card.version,
})

/** Rooms that asking vendors depends on. */
export interface CallContextParts extends Omit<
  RequestParts,
  'offer' | 'inbound' | 'safetyId' | 'project' | 'isFallback'
> {
  /** Our opaque id of a project, told to vendors in place of the client's `user`. */
  safetyId(project: ProjectId): string
}

export function requestPartsOf(
  parts: CallContextParts,
  { caller, offer, inbound, isFallback }: CallContext,
): RequestParts {
  const { calibration, memory, fetchPicture, vault, costs, settings } = parts
  const project = caller.project.id
  const asked: RequestParts = {
    offer,
    inbound,
    safetyId: parts.safetyId(project),
    project,
    calibration,
    memory,
    fetchPicture,
    vault,
    costs,
    settings,
  }
  return isFallback === undefined ? asked : { ...asked, isFallback }
}

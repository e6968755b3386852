import { resolve } from '../../catalogue/resolve'
import { checkOpen, checkStreaming, identify } from '../../call/admit'
import { ClientLeft } from '../../outbound/client-left'
import { requestsDryRun, dryRun } from '../../call/dry-run'
import type { CallBody } from '../../call/endpoint'
import { holdCall, prepareCall, type Metered } from '../../call/prepare'
import type { CallParts } from '../../call/run'
import { giveBack, type Acquired } from '../../call/resources'
import { checkRoutes } from '../../call/try-routes'
import type { Caller } from '../../../domain/caller'
import type { RequestId } from '../../../domain/ids'
import { zeroUsd } from '../../../domain/money'
import type { ClientSocketEvents, Upgrade } from '../../net/socket'
import { GatewayError } from '../../../errors/gateway-error'
import type { Inbound } from '../../http/inbound'
import { headersFor, refusalResponse } from '../../http/refusal'
import {
  requestsForSocket,
  readProtocols,
  type OfferedProtocols,
} from '../../http/socket-protocols'
import { checkAddress, checkModel } from '../../identity/access'
import { connectVendor, socketRequest, type ConnectParts } from './connect'
import { openErrorEvents } from './error-event'
import { boundSocket } from './socket-bounds'
import { refusingSocket } from './close-socket'
import { openSession } from './session'
import type { Session } from './session-parts'
import { openRunningBill } from './running-bill'
import { openTranscriptions } from './transcriptions'

export interface RealtimeParts extends CallParts, ConnectParts {
  newRequestId(): RequestId
  /** As of `SessionParts`. */
  changes(): Promise<unknown> | null
}

/** A client at the door. */
interface Visit {
  readonly inbound: Inbound
  readonly protocols: OfferedProtocols
  readonly upgrade: Upgrade
}

type RealtimeCall = CallBody & { readonly model: string }

interface AcquiredAtDoor extends Acquired {
  caller: Caller | null
}

/**
 * A conversation over a WebSocket, up to the point where both sides are joined. Refusals come before
 * it as ordinary answers; a client that could only name its key in a sub-protocol, and so cannot read
 * those, gets them as an event of a socket that is closed at once.
 * @returns undefined once the request has become a socket
 * @throws what `identify` throws
 */
export async function openRealtime(
  parts: RealtimeParts,
  arrived: Inbound,
  upgrade: Upgrade,
): Promise<Response | undefined> {
  const protocols = readProtocols(arrived.headers)
  const visit = { inbound: withKey(arrived, protocols), protocols, upgrade }
  const acquired: AcquiredAtDoor = { caller: null, slot: null, call: null }
  try {
    return await admit(parts, visit, acquired)
  } catch (thrown) {
    const { error, left } = giveBack(acquired, thrown)
    if (acquired.caller === null && !canOnlyReadSockets(visit)) throw thrown
    const held = acquired.call !== null
    const { caller } = acquired
    if (!left) parts.observer.refused({ error, caller, endpoint: 'realtime', held }, arrived)
    return refusal(parts, visit, error, caller)
  }
}

async function admit(
  parts: RealtimeParts,
  { inbound, protocols, upgrade }: Visit,
  acquired: AcquiredAtDoor,
): Promise<Response | undefined> {
  const caller = (acquired.caller = await identify(parts, inbound))
  const prepared = await prepareCall(parts, endpointFor(protocols), { caller, inbound }, acquired)
  const { offer, amount, opening } = prepared
  const safetyId = parts.safetyId(caller.project.id)
  const headers = () => headersFor(inbound, parts.limits.allowance(caller, inbound.address))
  if (requestsDryRun(inbound)) {
    const told = await dryRun(parts, prepared, () =>
      checkRoutes(parts, { routes: offer.routes, offer }, (target) =>
        socketRequest(target, offer.model.id, safetyId),
      ),
    )
    acquired.slot?.release()
    return Response.json(told, { headers: headers() })
  }
  if (!requestsForSocket(inbound.headers)) throw refusedField('Upgrade', 'websocket', 'Upgrade')
  const call = await holdCall(parts, prepared, acquired)
  const { socket, target } = await connectVendor(parts, offer, { inbound, safetyId })
  if (inbound.signal.aborted) {
    socket.close(1000, '')
    throw new ClientLeft()
  }
  const { route } = target
  const renew = () => parts.renew(caller)
  const margin = amount
  const transcriptions = openTranscriptions(parts, {
    opening,
    inbound,
    vendor: route.vendor,
    margin: parts.settings.realtimeHold,
    renew,
  })
  const session = openSession({
    streams: parts.streams,
    request: inbound.requestId,
    vendor: socket,
    bill: openRunningBill({ call, route, margin, renew }),
    transcriptions,
    policy: {
      checkCaller() {
        const now = renew()
        checkAddress(now, inbound.address)
        checkModel(now, offer.model)
      },
      checkService() {
        checkOpen(parts.settings)
        checkStreaming(parts.settings, { stream: true })
        resolve(parts.catalogue, 'realtime', 'chat', offer.model.id)
      },
      takeRequest: async () => void (await parts.limits.takeRequest(renew())),
      transcribeBy: (model) => transcriptions.choose(model),
    },
    changes() {
      const others = parts.changes()
      const own = parts.identity.renewal(caller)
      return others === null && own === null ? null : Promise.all([others, own])
    },
    errors: openErrorEvents(inbound),
    maxFrameBytes: caller.account.maxRequestKb * 1024,
    onFault: (error) =>
      parts.observer.refused({ error, caller, endpoint: 'realtime', held: true }, inbound),
  })
  const events = bounded(session, caller)
  if (!upgrade(inbound.request, events, { ...headers(), ...answered(protocols) })) session.abandon()
  return undefined
}

const bounded = (session: Session, { account }: Caller): ClientSocketEvents =>
  boundSocket(session, {
    account: account.id,
    maxBytes: account.maxRequestKb * 1024,
    refuse: () => session.refuseLarge(),
  })

/** Header that confirms a client's sub-protocol; never the one that holds its key. */
const answered = ({ realtime }: OfferedProtocols): Record<string, string> =>
  realtime ? { 'sec-websocket-protocol': 'realtime' } : {}

/** Headers count before sub-protocols. */
function withKey(inbound: Inbound, { key }: OfferedProtocols): Inbound {
  const { headers } = inbound
  if (key === null || headers.has('authorization') || headers.has('x-api-key')) return inbound
  const own = new Headers(headers)
  own.set('authorization', `Bearer ${key}`)
  return { ...inbound, headers: own }
}

/** Browsers do not show what a failed handshake was answered with. */
const canOnlyReadSockets = ({ protocols, inbound }: Visit): boolean =>
  protocols.key !== null && requestsForSocket(inbound.headers)

function refusal(
  parts: RealtimeParts,
  visit: Visit,
  error: GatewayError,
  caller: Caller | null,
): Response | undefined {
  const { inbound, protocols, upgrade } = visit
  const allowance = caller === null ? null : parts.limits.allowance(caller, inbound.address)
  if (canOnlyReadSockets(visit)) {
    const errors = openErrorEvents(inbound)
    const headers = { ...headersFor(inbound, allowance), ...answered(protocols) }
    if (upgrade(inbound.request, refusingSocket(error, errors), headers)) return undefined
  }
  return refusalResponse(error, inbound, allowance)
}

/** Cost of a conversation is not known before it: a fixed amount is held ahead. */
const endpointFor = (protocols: OfferedProtocols): Metered<RealtimeCall> => ({
  name: 'realtime',
  models: 'chat',
  isAlone: true,
  isRelayed: true,
  read: async (inbound) => ({ model: readModel(inbound, protocols), stream: true }),
  estimate: () => ({ low: {}, usual: {}, possible: null }),
  amount: ({ model }, { realtimeHold }) => (model.isFree ? zeroUsd : realtimeHold),
})

/** @throws invalid_field | missing_model */
function readModel({ search }: Inbound, { beta }: OfferedProtocols): string {
  if (beta) throw refusedField('OpenAI-Beta', 'absent', 'OpenAI-Beta')
  const query = new URLSearchParams(search)
  for (const name of ['call_id', 'intent'])
    if (query.has(name)) throw refusedField(name, 'absent', name)
  const model = query.get('model')
  if (model === null || model === '')
    throw new GatewayError('missing_model', {}, { param: 'model' })
  return model
}

const refusedField = (field: string, expected: string, param: string) =>
  new GatewayError('invalid_field', { field, expected }, { param })

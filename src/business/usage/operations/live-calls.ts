import { Type, type Static } from '@sinclair/typebox'
import type { RequestId } from '../../../domain/ids'
import { showUsd } from '../../../domain/money'
import {
  liveStatuses,
  type LiveCall,
  type WatchedCall,
} from '../../../gateway/observability/live-calls'
import { stopCall } from '../../accounts/stop-call'
import { Id, max, orNull } from '../../operations/fields'
import { liveOperation } from '../../operations/operation'

const liveStatus = Type.Union(liveStatuses.map((status) => Type.Literal(status)))
const shortText = Type.Optional(Type.String({ maxLength: 256 }))

const Attempt = Type.Object({
  vendor: Type.String(),
  vendor_model: Type.String(),
  /** Since the request, to the beginning and the end of the attempt. */
  began_ms: Type.Number(),
  over_ms: Type.Number(),
  /** Null when it answered. */
  error: orNull(Type.String()),
})

const LiveCallView = Type.Object({
  id: Type.String(),
  began: Type.String(),
  status: liveStatus,
  account: orNull(Id),
  project: orNull(Id),
  key: orNull(Id),
  endpoint: orNull(Type.String()),
  model: orNull(Type.String()),
  vendor: orNull(Type.String()),
  streamed: Type.Boolean(),
  address: Type.String(),
  error: orNull(Type.String()),
  usd: orNull(Type.String()),
  first_byte_ms: orNull(Type.Number()),
  latency_ms: orNull(Type.Number()),
  /** Whether `live.stop` takes it. */
  stoppable: Type.Boolean(),
  attempts: Type.Array(Attempt),
})

/** A call as operators see it go by. */
export const liveCallView = (call: WatchedCall): Static<typeof LiveCallView> => ({
  id: call.id,
  began: new Date(call.began).toISOString(),
  status: call.status,
  account: call.account,
  project: call.project,
  key: call.key,
  endpoint: call.endpoint,
  model: call.model,
  vendor: call.vendor,
  streamed: call.streamed,
  address: call.address,
  error: call.code,
  usd: call.cost === null ? null : showUsd(call.cost),
  first_byte_ms: call.firstByteMs,
  latency_ms: call.latencyMs,
  stoppable: call.stoppable,
  attempts: call.attempts.map(({ vendor, vendorModel, began, over, code }) => ({
    vendor,
    vendor_model: vendorModel,
    began_ms: Math.max(0, began - call.began),
    over_ms: Math.max(0, over - call.began),
    error: code,
  })),
})

const filters = {
  account: Type.Optional(Id),
  key: Type.Optional(Id),
  model: shortText,
  vendor: shortText,
  status: Type.Optional(liveStatus),
  code: shortText,
}

/** Which calls are followed. */
export const LiveFilter = Type.Object(filters, { additionalProperties: false })

/** Whether a call is one of those that are asked for; its vendor, any that was tried. */
export const isFollowed = (call: LiveCall, filter: Static<typeof LiveFilter>): boolean =>
  (filter.account ?? call.account) === call.account &&
  (filter.key ?? call.key) === call.key &&
  (filter.model ?? call.model) === call.model &&
  (filter.status ?? call.status) === call.status &&
  (filter.code ?? call.code) === call.code &&
  (filter.vendor === undefined ||
    call.vendor === filter.vendor ||
    call.attempts.some(({ vendor }) => vendor === filter.vendor))

export const liveOperations = [
  liveOperation({
    name: 'live.list',
    method: 'GET',
    path: '/live',
    role: 'viewer',
    about:
      'Calls that run, are over or were refused, newest first; /live/events tells of each change as a server-sent event',
    query: { ...filters, max },
    result: Type.Object({
      data: Type.Array(LiveCallView),
      /** Calls that were over and are forgotten here since the process began. */
      forgotten: Type.Integer(),
    }),
    async run({ service }, { query: { max, ...filter } }) {
      const { calls, forgotten } = await service.calls.list()
      const found = calls.filter((call) => isFollowed(call, filter))
      return { data: found.slice(0, max).map(liveCallView), forgotten }
    },
  }),
  liveOperation({
    name: 'live.stop',
    method: 'POST',
    path: '/live/{id}/stop',
    role: 'staff',
    about:
      'End a stream or a realtime session in order, or a call whose vendor has not answered: what was sent is charged, and the client is told stream_interrupted',
    params: { id: Type.String({ minLength: 1, maxLength: 60 }) },
    result: Type.Object({ stopped: Type.String() }),
    async run({ storage, service }, { params }) {
      const id = params.id.replace(/^(?:msg|resp)_/, 'req_') as RequestId
      await stopCall(service.calls, id)
      await storage.looks.record(`request:${id}`, 'request.stop')
      return { stopped: id }
    },
  }),
  liveOperation({
    name: 'realtime.list',
    method: 'GET',
    path: '/realtime-sessions',
    role: 'viewer',
    about: 'Realtime sessions that are open, newest first',
    query: { max },
    result: Type.Object({ data: Type.Array(LiveCallView) }),
    async run({ service }, { query }) {
      const { calls } = await service.calls.list()
      const open = calls.filter(
        ({ endpoint, status }) => endpoint === 'realtime' && status === 'running',
      )
      return { data: open.slice(0, query.max).map(liveCallView) }
    },
  }),
] as const

import { safetyHeader } from '../safety-header'
import type { RealtimeAbility } from '../vendor'
import { isDialect, type DialectName } from './dialects'
import { dialectOf } from './shape-request'

/** Where a dialect's realtime channel is. */
interface Place {
  readonly path: string
  /** The path is that of the host, not below the base address. */
  readonly ofHost?: true
}

/** Those who have one that speaks the reference's events. @see each vendor's interface, November 2026 */
const places: Readonly<Partial<Record<DialectName, Place>>> = {
  openai: { path: '/realtime' },
  azure: { path: '/realtime' },
  xai: { path: '/realtime' },
  alibaba: { path: '/api-ws/v1/realtime', ofHost: true },
  vllm: { path: '/realtime' },
  generic: { path: '/realtime' },
}

/** The channel in its released form: no header asks for the one before it. */
export const realtime: RealtimeAbility = {
  socket({ config, route }, { safetyId }) {
    const place = isDialect(config.dialect) ? places[config.dialect] : undefined
    if (place === undefined) return null
    const url = new URL(config.baseUrl)
    url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
    const below = place.ofHost === true ? '' : url.pathname.replace(/\/+$/, '')
    url.pathname = below + place.path
    url.searchParams.set('model', route.vendorModel)
    const told = dialectOf(config.dialect).safetyField === 'safety_identifier'
    return { url: url.href, headers: told ? [safetyHeader(safetyId)] : [] }
  },
}

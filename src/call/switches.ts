import { GatewayError } from '../errors/gateway-error'
import type { Settings } from '../settings/registry'

/** Whether the service takes metered calls at all; what it told before may still be read. @throws gateway_disabled */
export function checkOpen({ gatewayOpen }: Pick<Settings, 'gatewayOpen'>): void {
  if (!gatewayOpen) throw new GatewayError('gateway_disabled', {})
}

/** @throws streaming_disabled */
export function checkStreaming(
  { streaming }: Pick<Settings, 'streaming'>,
  { stream }: { readonly stream: boolean },
): void {
  if (stream && !streaming) throw new GatewayError('streaming_disabled', {}, { param: 'stream' })
}

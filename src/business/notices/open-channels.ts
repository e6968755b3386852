import type { Clock } from '../../domain/clock'
import type { Log } from '../../gateway/observability/log'
import type { Channel } from './channel'
import { commandChannel } from './channels/command'
import { logChannel } from './channels/log'
import { webhookChannel } from './channels/webhook'

/** Where notices go besides the log. */
interface ChannelSettings {
  readonly webhook: { readonly url: string; readonly secret: string } | null
  readonly command: readonly string[] | null
  /** All that the command sees of our environment. */
  readonly commandEnvironment: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** Every channel that is configured; the log always is. */
export function openChannels(
  settings: ChannelSettings,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): readonly Channel[] {
  const { webhook, command, commandEnvironment: environment, timeoutMs } = settings
  return [
    logChannel(log),
    ...(webhook === null ? [] : [webhookChannel({ ...webhook, timeoutMs, clock })]),
    ...(command === null ? [] : [commandChannel({ command, environment, timeoutMs })]),
  ]
}

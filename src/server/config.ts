import { homedir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../domain/clock'
import { parseUsd, type NanoUsd } from '../domain/money'
import { wordsOfCommand } from './command-words'
import { openAddressList } from '../gateway/net/address-list'
import { readProxies, type Proxies } from '../gateway/net/proxies'
import { logLevels, type LogLevel } from '../gateway/observability/log'
import type { MetricsConfig } from '../gateway/observability/metrics-door'
import { processesOf } from './process/process-count'
import { baseUrlOf, servicesOf } from './service-names'
import { readTraceConfig, type TraceConfig } from '../gateway/observability/trace-config'
import { registry, settingKeys, type SettingKey } from '../gateway/settings/registry'
import { settingText } from '../business/settings/setting-text'
import type { FixedSettings } from '../business/settings/settings'

/** Configuration of the program, from the environment with the command line on top. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Processes that serve; 0 for one less than there are cores. */
  readonly processes: number
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Own service first, then the sister service. */
  readonly services: readonly [string, string]
  /** Where each is reached from outside, without the version; null when nobody said. */
  readonly baseUrls: readonly [string | null, string | null]
  readonly vendorTimeoutMs: number
  /** How long running calls may go on after SIGTERM. */
  readonly drainMs: number
  /** How long calls are taken after SIGTERM, with a `/readyz` that says no, where several share a database. */
  readonly drainDelayMs: number
  readonly logLevel: LogLevel
  /** Settings that the environment fixes: no command changes them while the process lives. */
  readonly fixed: FixedSettings
  /** Whether vendors are looked for in the environment and on this machine. */
  readonly detect: boolean
  /** Proxies for what goes out. */
  readonly proxies: Proxies
  readonly notices: NoticeConfig
  /** Null: nothing is counted. */
  readonly metrics: MetricsConfig | null
  /** Null: calls are not traced. */
  readonly traces: TraceConfig | null
  /** Whether the page at `/` and the web app are served. */
  readonly web: boolean
  /** For trying: sign-in codes go to the terminal, and a bank inside of the program stands in for card gateways. */
  readonly demo: boolean
  readonly operators: OperatorDoorConfig
}

/** Where operators are answered; at the public address unless told. */
interface OperatorDoorConfig {
  /** An address of their own: nothing of theirs is answered elsewhere. */
  readonly listen: { readonly host: string; readonly port: number } | null
  /** Where they reach that, without a path; null where nobody said. */
  readonly url: string | null
}

/** Channels of notices besides the log. */
export interface NoticeConfig {
  readonly webhook: { readonly url: string; readonly secret: string } | null
  /** The program and its arguments. */
  readonly command: readonly string[] | null
  /** All that the command sees of our environment. */
  readonly commandEnvironment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** The floor of balances where the account has none of its own. */
  readonly floor: NanoUsd | null
}

/** The log alone. */
export const logOnly: NoticeConfig = {
  webhook: null,
  command: null,
  commandEnvironment: {},
  timeoutMs: 10_000,
  floor: null,
}

/** Every variable, its default and what it means; those of settings stand with the settings. */
const variables = {
  CHAPAR_HOST: ['127.0.0.1', 'address to listen on'],
  CHAPAR_PORT: ['8080', 'port to listen on; 0 takes a free one'],
  CHAPAR_PROCESSES: [
    '1',
    'node processes on one port, with a database; auto: as many as there are cores',
  ],
  CHAPAR_DATA: ['', 'data folder; unless set $XDG_DATA_HOME/chapar or ~/.local/share/chapar'],
  CHAPAR_DATABASE: [
    '',
    'PostgreSQL database to serve from with other processes: postgres://user:password@host/name',
  ],
  CHAPAR_DATABASE_FILE: ['', 'file that holds that address, for who keeps secrets in files'],
  CHAPAR_NODE_TTL: [
    '10',
    'seconds of silence after which other processes take over from one (with a database)',
  ],
  CHAPAR_TRUSTED_PROXIES: [
    '',
    'reverse proxies whose X-Forwarded-For is believed: addresses or ranges',
  ],
  CHAPAR_SERVICE: ['chapar', 'name in our keys: sk-<service>-v1-…'],
  CHAPAR_SISTER_SERVICE: ['barid', 'name in the keys of the sister service'],
  CHAPAR_URL: [
    '',
    'public address of this service: without it nobody pays by card, and cookies are sent over https alone',
  ],
  CHAPAR_SISTER_URL: ['', 'public address of the sister service'],
  CHAPAR_VENDOR_TIMEOUT: ['90', 'seconds to wait for a vendor’s first byte'],
  CHAPAR_DRAIN: ['60', 'seconds that running calls may take after SIGTERM'],
  CHAPAR_DRAIN_DELAY: [
    '3',
    'seconds that calls are taken after SIGTERM, for a balancer that asks /readyz; with --database',
  ],
  CHAPAR_LOG: ['info', `one of ${logLevels.join(', ')}`],
  CHAPAR_NOTICE_WEBHOOK: ['', 'address that notices are posted to'],
  CHAPAR_NOTICE_SECRET: ['', 'secret that these posts are signed with'],
  CHAPAR_NOTICE_COMMAND: ['', 'program run with each notice as JSON on its standard input'],
  CHAPAR_NOTICE_TIMEOUT: ['10', 'seconds that a webhook or command may take'],
  CHAPAR_NOTICE_FLOOR: ['', 'notify when a balance falls below so many dollars'],
  CHAPAR_METRICS_HOST: ['127.0.0.1', 'address that serves metrics and nothing else'],
  CHAPAR_METRICS_PORT: ['', 'port of that address; without it there is none'],
  CHAPAR_METRICS_TOKEN: [
    '',
    'bearer token for metrics; without a metrics port they are at /metrics of the public address',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['', 'collector that traces go to; other OTEL_… hold as well'],
  CHAPAR_WEB: ['1', '0: serve the interface alone, no page and no web app'],
  CHAPAR_ADMIN_HOST: ['127.0.0.1', 'address that serves operators and nobody else'],
  CHAPAR_ADMIN_PORT: [
    '',
    'port of that address; without it operators are answered at the public address',
  ],
  CHAPAR_ADMIN_URL: ['', 'where operators reach it, such as https://ops.example.com'],
  CHAPAR_DEMO: [
    '0',
    '1: for trying: print sign-in codes on the terminal, and offer a test bank that takes no money',
  ],
  CHAPAR_KEEP_PID: ['0', '1: serve keeps its process id while its program is replaced (SIGUSR2)'],
  CHAPAR_DETECT: ['1', '0: do not look for vendors in the environment and on this machine'],
} as const satisfies Record<string, readonly [string, string]>

/** Name, default and meaning of every variable, for the help text. */
export const variableTable = (): readonly (readonly [string, string, string])[] => [
  ...Object.entries(variables).map(([name, [preset, about]]) => [name, preset, about] as const),
  ...settingKeys.flatMap((key) => {
    const { variable, preset, about } = registry[key]
    return variable === null ? [] : [[variable, preset, about] as const]
  }),
]

/** Set as everywhere else; `no_proxy` too. */
type Environment = Readonly<Record<string, string | undefined>>

const reader = (env: Environment) => {
  const text = (name: keyof typeof variables): string => env[name]?.trim() || variables[name][0]
  const whole = (name: keyof typeof variables, least: number): number => {
    const value = Number(text(name))
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`${name} must be a whole number from ${least}, not ${text(name)}`)
    return value
  }
  return { text, whole }
}

/** Reads the configuration. @throws RangeError with a sentence that names the variable */
export function readConfig(env: Environment): Config {
  const { text, whole } = reader(env)
  const level = logLevels.find((each) => each === text('CHAPAR_LOG'))
  if (level === undefined) throw new RangeError(`CHAPAR_LOG must be one of ${logLevels.join(', ')}`)
  return {
    host: text('CHAPAR_HOST'),
    port: whole('CHAPAR_PORT', 0),
    processes: processesOf(text('CHAPAR_PROCESSES'), 'CHAPAR_PROCESSES'),
    trustedProxies: proxiesOf(text('CHAPAR_TRUSTED_PROXIES')),
    services: servicesOf(text('CHAPAR_SERVICE'), text('CHAPAR_SISTER_SERVICE')),
    baseUrls: [
      baseUrlOf('CHAPAR_URL', text('CHAPAR_URL')),
      baseUrlOf('CHAPAR_SISTER_URL', text('CHAPAR_SISTER_URL')),
    ],
    vendorTimeoutMs: vendorTimeoutMs(whole('CHAPAR_VENDOR_TIMEOUT', 1)),
    drainMs: whole('CHAPAR_DRAIN', 0) * 1000,
    drainDelayMs: whole('CHAPAR_DRAIN_DELAY', 0) * 1000,
    logLevel: level,
    fixed: fixedSettings(env),
    detect: text('CHAPAR_DETECT') !== '0',
    notices: readNotices(env),
    metrics: metricsOf(env),
    traces: readTraceConfig(env),
    web: text('CHAPAR_WEB') !== '0',
    demo: switchOf('CHAPAR_DEMO', text('CHAPAR_DEMO')),
    operators: operatorsOf(env),
    proxies: readProxies(env),
  }
}

/** @throws RangeError that names the variable */
function switchOf(variable: string, text: string): boolean {
  if (text !== '0' && text !== '1') throw new RangeError(`${variable} must be 0 or 1, not ${text}`)
  return text === '1'
}

/** @throws RangeError that names the variable */
function proxiesOf(list: string): readonly string[] {
  const proxies = list.split(/[\s,]+/).filter(Boolean)
  try {
    openAddressList(proxies)
  } catch (thrown) {
    throw new RangeError(`CHAPAR_TRUSTED_PROXIES: ${(thrown as Error).message}`)
  }
  return proxies
}

/** Where metrics are shown; nowhere unless a port or a token is set. */
function metricsOf(env: Environment): MetricsConfig | null {
  const { text, whole } = reader(env)
  const token = text('CHAPAR_METRICS_TOKEN') || null
  if (token !== null && token.length < minTokenChars)
    throw new RangeError(`CHAPAR_METRICS_TOKEN must have ${minTokenChars} characters at least`)
  if (text('CHAPAR_METRICS_PORT') === '') return token === null ? null : { listen: null, token }
  const listen = { host: text('CHAPAR_METRICS_HOST'), port: whole('CHAPAR_METRICS_PORT', 0) }
  return { listen, token }
}

/** @throws RangeError that names the variable */
function operatorsOf(env: Environment): OperatorDoorConfig {
  const { text, whole } = reader(env)
  const url = baseUrlOf('CHAPAR_ADMIN_URL', text('CHAPAR_ADMIN_URL'))
  if (text('CHAPAR_ADMIN_PORT') === '') return { listen: null, url }
  return { listen: { host: text('CHAPAR_ADMIN_HOST'), port: whole('CHAPAR_ADMIN_PORT', 0) }, url }
}

/** Nobody guesses one that is longer. */
const minTokenChars = 16

/** Settings that have a variable, and it is set. @throws RangeError that names it */
export function fixedSettings(env: Environment): FixedSettings {
  const fixed: Partial<Record<SettingKey, string>> = {}
  for (const key of settingKeys) {
    const { variable } = registry[key]
    const text = variable === null ? undefined : env[variable]?.trim()
    if (variable !== null && text) fixed[key] = settingText(key, text, variable, systemClock.now())
  }
  return fixed
}

/** What a program needs to run; not the keys of vendors that may be in the environment, too. */
const seenByCommands = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

/** Where notices go. @throws RangeError with a sentence that names the variable */
function readNotices(env: Environment): NoticeConfig {
  const { text, whole } = reader(env)
  const [url, secret] = [text('CHAPAR_NOTICE_WEBHOOK'), text('CHAPAR_NOTICE_SECRET')]
  if (url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new RangeError('CHAPAR_NOTICE_WEBHOOK must be an http or https address')
  if (URL.parse(url)?.username)
    throw new RangeError('CHAPAR_NOTICE_WEBHOOK must not hold a user name: check the signature')
  if (url !== '' && secret === '')
    throw new RangeError('CHAPAR_NOTICE_SECRET is needed: without it nobody can tell who posts')
  const floor = text('CHAPAR_NOTICE_FLOOR')
  return {
    webhook: url === '' ? null : { url, secret },
    command: wordsOfCommand(text('CHAPAR_NOTICE_COMMAND')),
    commandEnvironment: Object.fromEntries(
      seenByCommands.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
    timeoutMs: whole('CHAPAR_NOTICE_TIMEOUT', 1) * 1000,
    floor: floor === '' ? null : parseUsd(floor),
  }
}

/** Longer, and the client's own connection would be taken for idle. */
const maxVendorTimeoutSeconds = 240

/** @throws RangeError above four minutes */
function vendorTimeoutMs(seconds: number): number {
  if (seconds > maxVendorTimeoutSeconds)
    throw new RangeError(`a vendor is waited for ${maxVendorTimeoutSeconds} seconds at most`)
  return seconds * 1000
}

/** Data folder when no `--data` names one. */
export const defaultDataFolder = (env: Environment): string =>
  env['CHAPAR_DATA']?.trim() || join(dataHome(env), 'chapar')

/** Data folder of quickstart's demo credit: never that of accounts that pay. */
export const quickstartFolder = (env: Environment): string =>
  join(dataHome(env), 'chapar-quickstart')

const dataHome = (env: Environment): string =>
  env['XDG_DATA_HOME']?.trim() || join(homedir(), '.local', 'share')

/** The beginning of a service's keys. */
export const keyPrefix = (service: string): string => `sk-${service}-v1-`

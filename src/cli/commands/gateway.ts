import { Option, type Command } from 'commander'
import { findGateway, removeGateway, setGateway, tryGateway } from '../../admin/gateways'
import { sendToGateway } from '../../app/payment-desk'
import { systemClock } from '../../domain/clock'
import { gatewayKinds, type GatewayConfig, type GatewayKind } from '../../payments/gateway-config'
import { gatewayFacts } from '../../payments/gateway-kinds'
import { registry } from '../../settings/registry'
import { settingIn } from '../../settings/settings'
import type { Storage } from '../../storage/storage'
import { stdinText } from '../kit/session'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printFields, printJson, printLine } from '../kit/output'
import { fixedFor, serviceNames } from './configured-service'
import { servingUrl } from './reach'

interface SetOptions extends CommonOptions {
  readonly kind: GatewayKind
  readonly option?: readonly string[]
  readonly secretStdin?: true
}

const gatewayView = ({ name, kind, options, secret }: GatewayConfig) => ({
  object: 'card_gateway',
  name,
  kind,
  paid_in: gatewayFacts[kind].paidIn,
  options,
  secret: secret === null ? null : '•••',
})

export function gatewayCommand(program: Command): void {
  const gateway = branch(program, 'gateway', 'Manage gateways that customers pay by')

  leaf(
    gateway,
    'set',
    'add or change a gateway; what is not said stays as it is',
    'gateway set main --kind zarinpal --secret-stdin < merchant-id',
  )
    .argument('<name>', 'a name for it', read.name)
    .addOption(
      new Option('--kind <kind>', 'whose it is').choices(gatewayKinds).makeOptionMandatory(),
    )
    .option('--option <name=value>', 'what the gateway needs; repeatable', read.list)
    .option('--secret-stdin', 'read its secret from standard input; kept sealed')
    .addHelpText('after', `Options and secrets by kind:\n${kindLines()}`)
    .action(set)

  withCsv(leaf(gateway, 'list', 'list gateways, without their secrets', 'gateway list')).action(
    list,
  )

  leaf(gateway, 'show', 'show a gateway, without its secret', 'gateway show main')
    .argument('<name>', 'name of the gateway')
    .action(show)

  leaf(
    gateway,
    'test',
    'open the smallest payment at a gateway, and print its page; nobody needs to pay it',
    'gateway test main',
  )
    .argument('<name>', 'name of the gateway')
    .addHelpText('after', faultLines)
    .action(test)

  leaf(gateway, 'remove', 'remove a gateway', 'gateway remove main')
    .argument('<name>', 'name of the gateway')
    .option('--yes', 'confirm: payments that wait for it are not credited any more')
    .action(async (name: string, options: CommonOptions & { readonly yes?: true }) => {
      await withStorage(options, (storage) => removeGateway(storage, name, options.yes === true))
      if (options.json) return printJson({ object: 'card_gateway', name, deleted: true })
      printLine(`gateway ${name} removed`)
    })
}

const kindLines = (): string =>
  gatewayKinds
    .map((kind) => {
      const { options, secrets } = gatewayFacts[kind]
      const lines = secrets.map(({ about, optional }) => (optional ? `[${about}]` : about))
      const names = Object.entries(options).map(
        ([name, { about, preset }]) =>
          `    [${name}]  ${about}${preset === undefined || preset === '' ? '' : `; ${preset}`}`,
      )
      return [`  ${kind}`, `    secret: ${lines.join(', next line: ')}`, ...names].join('\n')
    })
    .join('\n')

const faultLines = `Codes that gateways refuse by:
  zarinpal  -9 address of return or amount, -10 merchant or address of this machine, -11 inactive,
            -12 too many tries, -14 and -18 domain of the address of return, -15 suspended
  zibal     102 no such merchant, 103 inactive, 104 invalid, 105 amount, 106 address of return
  stripe    api_key_expired, invalid_request_error, …
  all       no_answer: nothing came back within ten seconds, or a page of HTML`

async function set(name: string, options: SetOptions): Promise<void> {
  const { kind, option = [], secretStdin } = options
  const secret = secretStdin ? linesOf(await stdinText()) : null
  if (secret === '') throw new RangeError('the secret is empty')
  const change = { name, kind, options: Object.fromEntries(option.map(pairOf)), secret }
  const made = await withStorage(options, ({ cardGateways }) => setGateway(cardGateways, change))
  if (options.json) return printJson(gatewayView(made))
  printLine(`gateway ${name} (${kind}); try it: chapar gateway test ${name}`)
}

const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new RangeError(`an option is written name=value, not ${text}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

const shownOptions = ({ options }: Pick<GatewayConfig, 'options'>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ') || '–'

async function list(options: ListOptions): Promise<void> {
  const all = await withStorage(options, ({ cardGateways }) => cardGateways.list())
  await printList(options, all.map(gatewayView), form)
}

const form: ListForm<ReturnType<typeof gatewayView>> = {
  columns: ['name', 'kind', 'paid_in', 'options', 'secret'],
  heading: ['NAME', 'KIND', 'PAID IN', 'OPTIONS', 'SECRET'],
  cells: (each) => [each.name, each.kind, each.paid_in, shownOptions(each), each.secret ?? '–'],
}

async function show(name: string, options: CommonOptions): Promise<void> {
  const found = await withStorage(options, ({ cardGateways }) => findGateway(cardGateways, name))
  if (options.json) return printJson(gatewayView(found))
  printFields(gatewayView(found))
}

async function test(name: string, options: CommonOptions): Promise<void> {
  const { services, baseUrls } = await serviceNames(options)
  const origin = baseUrls[0] ?? servingUrl(options.data) ?? 'http://localhost:8080'
  const opened = await withStorage(options, async (storage) =>
    tryGateway(storage.cardGateways, name, {
      send: sendToGateway,
      clock: systemClock,
      rialsPerCoin: await rialsPerCoin(storage, options.data),
      origin,
      description: `${services[0]}: a payment for trying`,
    }),
  )
  if (options.json) return printJson({ object: 'card_gateway.test', name, ok: true, ...opened })
  printLine(`✓ ${name} opened a payment that comes back to ${origin}:`)
  printLine(opened.page)
}

async function rialsPerCoin(storage: Storage, folder: string): Promise<number> {
  const fixed = await fixedFor(storage, folder)
  const kept = await storage.settings.all()
  return registry.coinRials.type.parse(settingIn('coinRials', fixed, kept).text)
}

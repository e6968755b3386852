import { Option, type Command } from 'commander'
import { findSmsProvider, removeSmsProvider, setSmsProvider } from '../../admin/sms-providers'
import { readConfig } from '../../app/config'
import { openSmsWays, smsText } from '../../app/sms-ways'
import { parsePhone } from '../../people/phone'
import { smsKinds } from '../../sms/kinds'
import { openSms } from '../../sms/open-sms'
import { smsProviderKinds, type SmsProvider, type SmsProviderKind } from '../../sms/provider'
import { stdinText } from '../kit/session'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { requester } from '../kit/operator'
import { printJson, printLine } from '../kit/output'
import { servingNote } from './reach'

interface SetOptions extends CommonOptions {
  readonly provider: SmsProviderKind
  readonly option?: readonly string[]
  readonly keyStdin?: true
}

const providerView = ({ name, kind, options, secret }: SmsProvider) => ({
  object: 'sms_provider',
  name,
  provider: kind,
  options,
  key: secret === null ? null : '•••',
})

export function smsCommand(program: Command): void {
  const sms = branch(program, 'sms', 'manage SMS providers, which carry sign-in codes')

  leaf(
    sms,
    'set',
    'add or change a provider; two at most, tried in the order they were added',
    'sms set main --provider kavenegar --option template=chapar --key-stdin < key',
  )
    .argument('<name>', 'a name for it', read.name)
    .addOption(
      new Option('--provider <kind>', 'what it speaks')
        .choices(smsProviderKinds)
        .makeOptionMandatory(),
    )
    .option('--option <name=value>', 'what the provider needs; repeatable', read.list)
    .option('--key-stdin', 'read our key there from standard input; kept sealed')
    .addHelpText('after', `Options by provider:\n${optionLines()}`)
    .action(set)

  withCsv(leaf(sms, 'list', 'list providers, without their keys', 'sms list')).action(list)

  leaf(sms, 'test', 'send a code for trying to a phone of yours', 'sms test main 09123456789')
    .argument('<name>', 'name of the provider')
    .argument('<phone>', 'a mobile number')
    .action(test)

  leaf(sms, 'remove', 'remove a provider', 'sms remove main')
    .argument('<name>', 'name of the provider')
    .action(async (name: string, options: CommonOptions) => {
      await withStorage(options, ({ smsProviders }) => removeSmsProvider(smsProviders, name))
      if (options.json) return printJson({ object: 'sms_provider', name, deleted: true })
      printLine(`provider ${name} removed`)
    })
}

const optionLines = (): string =>
  smsProviderKinds
    .map((kind) => {
      const { options, secret } = smsKinds[kind]
      const key = { needed: ['--key-stdin'], optional: ['[--key-stdin]'], none: [] }[secret]
      const names = Object.entries(options).map(([name, { about, preset }]) => {
        if (preset === undefined) return `${name}  ${about}`
        return `[${name}]  ${about}${preset === '' ? '' : `; ${preset}`}`
      })
      const lines = [...names, ...key].map((line) => `    ${line}`)
      return [`  ${kind}`, ...lines].join('\n')
    })
    .join('\n')

async function set(name: string, options: SetOptions): Promise<void> {
  const { provider: kind, option = [], keyStdin } = options
  const secret = keyStdin ? (await stdinText()).trim() : null
  if (secret === '') throw new RangeError('the key is empty')
  const wanted = { name, kind, options: Object.fromEntries(option.map(pairOf)), secret }
  const made = await withStorage(options, ({ smsProviders }) =>
    setSmsProvider(
      { store: smsProviders, isDemo: isDemo(options), requester: requester() },
      wanted,
    ),
  )
  if (options.json) return printJson(providerView(made))
  printLine(`provider ${name} (${kind}); try it: chapar sms test ${name} 09…`)
}

/** Whether the service prints codes on its terminal: the one that runs, else one that begins in this shell. */
const isDemo = ({ data }: CommonOptions): boolean =>
  servingNote(data)?.demo ?? readConfig(process.env).demo

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new RangeError(`an option is written name=value, not ${text}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

async function list(options: ListOptions): Promise<void> {
  const all = await withStorage(options, ({ smsProviders }) => smsProviders.list())
  await printList(options, all.map(providerView), form)
}

const form: ListForm<ReturnType<typeof providerView>> = {
  columns: ['name', 'provider', 'options', 'key'],
  heading: ['NAME', 'PROVIDER', 'OPTIONS', 'KEY'],
  cells: (each) => [
    each.name,
    each.provider,
    Object.entries(each.options)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ') || '–',
    each.key ?? '–',
  ],
}

const sampleCode = '123456'

async function test(name: string, phone: string, options: CommonOptions): Promise<void> {
  const to = parsePhone(phone)
  if (to === null) throw new RangeError(`${phone} is not an Iranian mobile number`)
  const config = readConfig(process.env)
  const [publicUrl] = config.baseUrls
  await withStorage(options, async ({ smsProviders }) => {
    const sms = openSms({
      store: smsProviders,
      ways: openSmsWays({ ...config, demo: isDemo(options) }, { print: printLine }),
      text: smsText(() => config.services[0], publicUrl === null ? null : new URL(publicUrl).host),
    })
    await sms.sendBy(await findSmsProvider(smsProviders, name), to, sampleCode)
  })
  if (options.json) return printJson({ object: 'sms.test', name, ok: true })
  printLine(`✓ ${name} took it: ${sampleCode} is on its way`)
}

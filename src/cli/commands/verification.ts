import { Option, type Command } from 'commander'
import {
  approveVerification,
  findChecker,
  findVerification,
  rejectVerification,
  removeChecker,
  revealNationalCode,
  setChecker,
} from '../../admin/verifications'
import { verificationView } from '../../admin/verification-view'
import { systemClock } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import { settingIn } from '../../settings/settings'
import { registry } from '../../settings/registry'
import type { Storage } from '../../storage/storage'
import { checkerPreset, type CheckerConfig } from '../../verification/checker'
import type { Verification, VerificationState } from '../../verification/verification'
import { stdinText } from '../kit/session'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { requester } from '../kit/operator'
import { printFields, printJson, printLine } from '../kit/output'
import { fixedFor } from './configured-service'

interface StateOptions extends ListOptions {
  readonly state?: VerificationState | 'all'
}
interface SetOptions extends CommonOptions {
  readonly url: string
  readonly body?: string
  readonly pointer?: string
  readonly header?: string
  readonly secretStdin?: true
}

/** Codes are masked here as everywhere; `show --national-code` alone tells one. */
const verificationObject = (each: Verification) => ({
  object: 'verification',
  ...verificationView(each),
})

const checkerView = ({ url, body, pointer, header, secret }: CheckerConfig) => ({
  object: 'verification_checker',
  url,
  body,
  pointer,
  header,
  secret: secret === null ? null : '•••',
})

export function verificationCommand(program: Command): void {
  const verification = branch(
    program,
    'verification',
    'who account holders are: requests that wait for a decision, and who decides',
  )
  decisionCommands(verification)
  checkerCommands(verification)
}

function decisionCommands(verification: Command): void {
  withCsv(
    leaf(
      verification,
      'list',
      'list requests, newest first; those that wait unless told otherwise',
      'verification list --state all',
    ),
  )
    .addOption(
      new Option('--state <state>', 'only these').choices([
        'submitted',
        'approved',
        'rejected',
        'all',
      ]),
    )
    .action(list)

  leaf(verification, 'show', 'show one request, its national code masked', 'verification show 7')
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .option('--national-code', 'show the whole code; that you looked is in the trail')
    .action(show)

  leaf(
    verification,
    'approve',
    'approve a request: the ceiling before verification is gone from the next call on',
    'verification approve 7',
  )
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .action(async (account: AccountId, options: CommonOptions) => {
      await withStorage(options, async (storage) =>
        approveVerification(await partsOf(storage, options), account),
      )
      if (options.json) return printJson({ object: 'verification', account, state: 'approved' })
      printLine(`account ${account} is verified; its people are told`)
    })

  leaf(
    verification,
    'reject',
    'reject a request, or take an approval back',
    'verification reject 7 --reason "the birth date differs"',
  )
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .requiredOption('--reason <text>', 'why, in words for its holder')
    .action(async (account: AccountId, options: CommonOptions & { reason: string }) => {
      await withStorage(options, async (storage) =>
        rejectVerification(await partsOf(storage, options), account, options.reason),
      )
      if (options.json) return printJson({ object: 'verification', account, state: 'rejected' })
      printLine(`account ${account} is not verified; its people are told why`)
    })
}

function checkerCommands(verification: Command): void {
  leaf(
    verification,
    'set',
    'have a service decide: it is asked once for each request',
    'verification set --url https://check.example/shahkar --pointer /data --secret-stdin < secret',
  )
    .requiredOption('--url <url>', 'address that is posted to')
    .option(
      '--body <json>',
      `JSON with {national_code}, {mobile}, {first_name}, {last_name}, {birth_date} in it (${checkerPreset.body})`,
    )
    .option(
      '--pointer <pointer>',
      `where the answer’s true or false stands (${checkerPreset.pointer})`,
    )
    .option('--header <name>', `header that the secret goes in (${checkerPreset.header})`)
    .option('--secret-stdin', 'read the secret there from standard input; kept sealed')
    .action(set)

  leaf(
    verification,
    'service',
    'show the service that decides, without its secret',
    'verification service',
  ).action(async (options: CommonOptions) => {
    const found = await withStorage(options, ({ connections }) => findChecker(connections))
    if (options.json) return printJson(found === null ? null : checkerView(found))
    if (found === null) return printLine('people decide: chapar verification list')
    printFields(checkerView(found))
  })

  leaf(verification, 'unset', 'have people decide', 'verification unset').action(
    async (options: CommonOptions) => {
      await withStorage(options, ({ connections }) => removeChecker(connections))
      if (options.json) return printJson({ object: 'verification_checker', deleted: true })
      printLine('people decide from now on: chapar verification list')
    },
  )
}

async function partsOf(storage: Storage, options: CommonOptions) {
  const fixed = await fixedFor(storage, options.data)
  const { text } = settingIn('personAccounts', fixed, await storage.settings.all())
  return {
    store: storage.verifications,
    clock: systemClock,
    personAccounts: registry.personAccounts.type.parse(text),
  }
}

const maxListed = 1000

async function list(options: StateOptions): Promise<void> {
  const { state = 'submitted', csv } = options
  const max = csv ? Number.MAX_SAFE_INTEGER : maxListed
  const all = await withStorage(options, ({ verifications }) =>
    verifications.list({ state: state === 'all' ? null : state, before: null, max }),
  )
  await printList(options, all.map(verificationObject), form)
}

const form: ListForm<ReturnType<typeof verificationObject>> = {
  columns: [
    'account',
    'account_name',
    'person',
    'phone',
    'state',
    'first_name',
    'last_name',
    'national_code',
    'birth_date',
    'provider',
    'reason',
    'by',
    'submitted',
    'decided',
  ],
  heading: ['ACCOUNT', 'STATE', 'NAME', 'NATIONAL CODE', 'PHONE', 'SUBMITTED'],
  cells: (each) => [
    String(each.account),
    each.state,
    each.first_name === null ? '–' : `${each.first_name} ${each.last_name}`,
    each.national_code ?? '–',
    each.phone ?? '–',
    each.submitted,
  ],
}

async function show(
  account: AccountId,
  options: CommonOptions & { nationalCode?: true },
): Promise<void> {
  const view = await withStorage(options, async ({ verifications: store }) => {
    const shown = verificationObject(await findVerification(store, account))
    if (options.nationalCode !== true) return shown
    const parts = { store, requester: requester() }
    return { ...shown, national_code: await revealNationalCode(parts, account) }
  })
  if (options.json) return printJson(view)
  printFields(view)
}

async function set(options: SetOptions): Promise<void> {
  const { url, body = null, pointer = null, header = null, secretStdin } = options
  const secret = secretStdin ? (await stdinText()).trim() : null
  if (secret === '') throw new RangeError('the secret is empty')
  const made = await withStorage(options, ({ connections }) =>
    setChecker(connections, { url, body, pointer, header, secret }),
  )
  if (options.json) return printJson(checkerView(made))
  printLine(`${made.url} decides from now on, by ${made.pointer} of its answer`)
}

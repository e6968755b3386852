import type { Command } from 'commander'
import {
  addCredential,
  credentialsIn,
  removeCredential,
  replaceCredential,
  switchCredential,
} from '../../admin/vendor-credentials'
import { checkVendorAnswers } from '../../admin/vendor-trial'
import { credentialView } from '../../admin/vendor-view'
import { vendorNamed } from '../../admin/vendors'
import { getJson } from '../../outbound/get-json'
import { branch, leaf, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListOptions } from '../kit/listing'
import { printJson, printLine } from '../kit/output'
import { withTest } from './vendor-config'
import { askedKey, givenKey, withKey } from './vendor-key'
import { credentialForm, vendorParts } from './vendor-lines'
import { withService, type CommandParts } from './with-service'

interface AddOptions extends CommonOptions {
  readonly apiKey?: string
  readonly apiKeyStdin?: true
  readonly test: boolean
  readonly force?: true
}

/** `vendor credential`: several keys at one vendor. */
export function vendorCredentialCommand(vendor: Command): void {
  const credential = branch(vendor, 'credential', 'Manage the credentials of a vendor')

  const add = leaf(
    credential,
    'add',
    'add a credential: calls choose among those that serve',
    'vendor credential add openai second --api-key-stdin < key',
  )
    .argument('<vendor>', 'name of the vendor')
    .argument('[name]', 'name of the credential (default: key-2, key-3 …)')
  withTest(withKey(add)).action(addOne)

  withCsv(
    leaf(
      credential,
      'list',
      'list the credentials of a vendor, without their keys',
      'vendor credential list openai',
    ),
  )
    .argument('<vendor>', 'name of the vendor')
    .action(list)

  for (const [word, active] of [
    ['off', false],
    ['on', true],
  ] as const)
    leaf(
      credential,
      word,
      active
        ? 'sign calls with a credential again'
        : 'sign no more calls with a credential; video jobs that it ordered are looked after',
      `vendor credential ${word} openai default`,
    )
      .argument('<vendor>', 'name of the vendor')
      .argument('<name>', 'name of the credential')
      .action((named: string, name: string, options: CommonOptions) =>
        changeOne({ vendor: named, name, options, done: `switched ${word}` }, (parts) =>
          switchCredential(parts, named, name, active),
        ),
      )

  const replace = leaf(
    credential,
    'set',
    'give a credential another key; video jobs that it ordered are looked after with that one',
    'vendor credential set openai second --api-key-stdin < key',
  )
    .argument('<vendor>', 'name of the vendor')
    .argument('<name>', 'name of the credential')
  withTest(withKey(replace)).action(replaceOne)

  leaf(
    credential,
    'remove',
    'forget a credential; video jobs that it ordered are asked for by another one',
    'vendor credential remove openai second',
  )
    .argument('<vendor>', 'name of the vendor')
    .argument('<name>', 'name of the credential')
    .action((named: string, name: string, options: CommonOptions) =>
      changeOne({ vendor: named, name, options, done: 'removed' }, (parts) =>
        removeCredential(parts, named, name),
      ),
    )
}

async function addOne(
  vendor: string,
  name: string | undefined,
  options: AddOptions,
): Promise<void> {
  const secret = await neededKey(options)
  const { added, view } = await withService(options, async (parts) => {
    await tryKey(parts, vendor, secret, options)
    const added = await addCredential(parts, vendor, { name: name ?? null, secret })
    return { added, view: (await viewsOf(parts, vendor)).find((each) => each.name === added) }
  })
  if (options.json) return printJson({ object: 'vendor.credential', vendor, ...view })
  printLine(`${vendor} has the credential ${added} (${view?.api_key ?? '…'})`)
}

async function replaceOne(vendor: string, name: string, options: AddOptions): Promise<void> {
  const secret = await neededKey(options)
  await changeOne({ vendor, name, options, done: 'has another key' }, async (parts) => {
    await tryKey(parts, vendor, secret, options)
    await replaceCredential(parts, vendor, name, secret)
  })
}

/** @throws RangeError */
async function neededKey(options: AddOptions): Promise<string> {
  const secret = (await givenKey(options)) ?? (options.json ? null : await askedKey())
  if (secret === null) throw new RangeError('a key is needed: --api-key-stdin')
  return secret
}

async function tryKey(
  parts: CommandParts,
  vendor: string,
  credential: string,
  { test, force }: AddOptions,
): Promise<void> {
  const { moreCredentials: _, credentialOff: __, ...named } = await vendorNamed(parts, vendor)
  if (test) await checkVendorAnswers(getJson, { ...named, credential }, force === true)
}

interface ChangeOne {
  readonly vendor: string
  readonly name: string
  readonly options: CommonOptions
  readonly done: string
}

async function changeOne(
  { vendor, name, options, done }: ChangeOne,
  change: (parts: CommandParts) => Promise<void>,
): Promise<void> {
  const views = await withService(options, async (parts) => {
    await change(parts)
    return viewsOf(parts, vendor)
  })
  if (options.json) return printJson({ object: 'list', data: views })
  const serving = views.filter(({ active }) => active).map((each) => each.name)
  printLine(`credential ${name} of ${vendor} ${done}; calls are signed by ${serving.join(', ')}`)
}

async function viewsOf(parts: CommandParts, name: string) {
  const vendor = await vendorNamed(parts, name)
  const states = (await parts.storage.vendorStates.all()).filter((state) => state.vendor === name)
  return (await credentialsIn(parts, vendor)).map((each) =>
    credentialView(
      vendorParts(parts),
      vendor,
      each,
      states.find(({ credential }) => credential === each.name),
    ),
  )
}

async function list(vendor: string, options: ListOptions): Promise<void> {
  await printList(
    options,
    await withService(options, (parts) => viewsOf(parts, vendor)),
    credentialForm,
  )
}

import type { Static, TSchema } from '@sinclair/typebox'
import { seedModels } from '../../../gateway/catalogue/seed'
import { cell, counted, type CommandForm } from '../../operations/command'
import { credentialList } from './vendor-credential-commands'
import type {
  ChangedVendor,
  RemovedVendor,
  TestedVendor,
  TrialView,
  VendorRouteView,
  VendorView,
} from './vendor-views'
import { balanceText, noMoney, problemText, proposedLines, testLine } from './vendor-words'

type Viewed = Static<typeof VendorView>
type Changed = Static<typeof ChangedVendor>
type Trial = Static<typeof TrialView>
type ListOf<Row extends TSchema> = { readonly data: readonly Static<Row>[] }

const which = { name: 'name', about: 'name of the vendor', as: 'place', kind: 'text' } as const

const list: CommandForm<ListOf<typeof VendorView>> = {
  words: 'vendor list',
  about: 'list vendors, without their keys',
  example: 'vendor list',
  // Of the sandbox, which is always there, nothing needs to be told.
  body: { builtin: false },
  object: 'vendor',
  list: {
    pages: null,
    columns: [
      'name',
      'kind',
      'dialect',
      'base_url',
      'api_key',
      'timeout_seconds',
      'transport',
      'margin_percent',
      'active',
      'source',
      'state',
      'trouble_since',
      'cooling_until',
      'balance',
      'last_failure',
      'first_token_timeout_seconds',
    ],
    heading: [
      'NAME',
      'KIND',
      'DIALECT',
      'ADDRESS',
      'KEY',
      'TRANSPORT',
      'MARKUP',
      'STATE',
      'BALANCE',
      'FROM',
    ],
    cells: (each) => [
      each.name,
      each.kind,
      each.dialect,
      each.base_url,
      each.credentials.length > 1 ? `${each.credentials.length} keys` : cell.some(each.api_key),
      each.transport,
      each.margin_percent === null ? '–' : `${each.margin_percent}%`,
      each.state,
      each.balance === null ? '–' : balanceText(each.balance),
      each.source,
    ],
  },
}

/** A vendor for people: failures as a table, and credentials where there are several. */
function vendorText({ credentials, recent_calls: recent, ...view }: Viewed) {
  const { last_failures: failures = [], ...calls } = recent ?? {}
  const failed = failures.map(({ at, code, status }) => [at, code, cell.some(status)])
  return {
    fields: {
      ...view,
      ...Object.fromEntries(
        Object.entries(calls).map(([name, value]) => [`recent_${name}`, value]),
      ),
    },
    stdout: [
      ...(failed.length === 0 ? [] : ['', [['FAILED', 'CODE', 'STATUS'], ...failed]]),
      ...(credentials.length < 2
        ? []
        : ['', [credentialList.heading, ...credentials.map(credentialList.cells)]]),
    ],
  }
}

const show: CommandForm<Viewed> = {
  words: 'vendor show',
  about: 'show one vendor, without its key',
  example: 'vendor show openai',
  params: { name: which },
  object: 'vendor',
  said: vendorText,
}

const routes: CommandForm<ListOf<typeof VendorRouteView>> = {
  words: 'vendor routes',
  about: 'list the models that a vendor serves, and which of them nobody else does',
  example: 'vendor routes openai',
  params: { name: which },
  object: 'vendor.route',
  list: {
    pages: null,
    columns: ['model', 'vendor_model', 'priority', 'weight', 'on_sale', 'only'],
    heading: ['MODEL', 'THERE', 'PRIORITY', 'WEIGHT', 'ON SALE', 'ELSEWHERE'],
    cells: (each) => [
      each.model,
      each.vendor_model,
      String(each.priority),
      String(each.weight),
      cell.yes(each.on_sale),
      each.only ? 'nowhere' : each.on_sale ? 'yes' : '–',
    ],
  },
}

const add: CommandForm<Changed> = {
  words: 'vendor add',
  about: 'add a vendor; chapar vendor set changes one',
  example:
    'vendor add --name openai --kind openai --base-url https://api.openai.com/v1 --api-key-stdin < key',
  makesFolder: true,
  object: 'vendor',
  subject: ({ vendor, on_sale, proposed, trial }) => ({
    ...vendor,
    models_with_public_prices: seedModels(vendor.dialect).length,
    on_sale,
    proposed,
    ...(trial === null ? {} : { test: { ...trial, problem: wordsOf(trial.problem) } }),
  }),
  said: ({ vendor, proposed, trial, new_models: newModels }) => ({
    stdout: [
      `vendor ${vendor.name} (${vendor.kind}, ${vendor.dialect}) at ${vendor.base_url}`,
      ...(vendor.api_key === null ? ['it is called without a key'] : []),
      ...(trial === null ? [] : trialLines(trial)),
      ...(vendor.active
        ? [
            ...soldLines(vendor, newModels),
            ...(trial !== null && trial.models > 0
              ? [
                  `more of the ${trial.models} models that it lists: chapar model import ${vendor.name}`,
                ]
              : []),
          ]
        : ['it is switched off: none of its models is on sale by it']),
      ...proposedLines(proposed),
    ],
  }),
}

const wordsOf = (problem: Trial['problem']): string | null =>
  problem === null ? null : problemText(problem)

function trialLines({ problem, models, balance, is_empty: isEmpty }: Trial): readonly string[] {
  if (problem !== null) return [`! ${problemText(problem)}; it is saved all the same`]
  const left = balance === null ? '' : `; ${balanceText(balance)} left`
  return [
    models > 0 ? `it answers and lists ${counted(models, 'model')}${left}` : `it answers${left}`,
    ...(isEmpty ? ['! our account there has no money left'] : []),
  ]
}

const maxShown = 10

/** Models that came on sale, what they cost and at which prices, or how to put some on sale. */
function soldLines({ name, dialect }: Viewed, newModels: Changed['new_models']) {
  const known = seedModels(dialect)
  if (known.length === 0)
    return [
      `next: chapar model add --id ID --type chat --route ${name}:MODEL --price input_per_million=… --price output_per_million=…`,
    ]
  const names = known.slice(0, 3).map(({ id }) => id)
  const more = newModels.length - maxShown
  return [
    `${known.length} of its models have public prices and are on sale now, such as ${names.join(', ')}: chapar model list`,
    ...(newModels.length < known.length
      ? [`${newModels.length} of them nobody sold before; the others keep their prices`]
      : []),
    ...(newModels.length === 0
      ? []
      : [
          [
            ['MODEL', 'COST (USD)', 'SALE (USD)'],
            ...newModels
              .slice(0, maxShown)
              .map(({ id, cost, price }) => [id, pricesText(cost), pricesText(price)]),
          ],
        ]),
    ...(more > 0 ? [`… ${more} more: chapar model list`] : []),
  ]
}

const pricesText = (prices: Readonly<Record<string, string>> | null): string =>
  prices === null
    ? '–'
    : Object.entries(prices)
        .map(([key, price]) => `${key} ${price}`)
        .join(' · ')

const set: CommandForm<Changed> = {
  words: 'vendor set',
  about: 'change a vendor, its key too, or switch it off and on; what is not named stays',
  example: 'vendor set openai --api-key-stdin < key',
  params: {
    name: { ...which, about: 'name of the vendor; also one found in the environment, and sandbox' },
  },
  flags: {
    active: [
      {
        flag: '--off',
        about: 'its models are not available for the moment, but by other vendors',
        value: false,
        isAlone: true,
      },
    ],
  },
  makesFolder: true,
  object: 'vendor',
  subject: ({ vendor, proposed }) => ({ ...vendor, proposed }),
  said({ vendor, proposed }) {
    const { fields, stdout } = vendorText(vendor)
    return { fields, stdout: [...stdout, ...proposedLines(proposed)] }
  },
}

const remove: CommandForm<Static<typeof RemovedVendor>> = {
  words: 'vendor remove',
  about: 'remove a vendor; its models lose that route',
  example: 'vendor remove openai',
  params: { name: which },
  object: 'vendor',
  said: ({ name, margin_percent: margin }) => ({
    stdout: [
      `vendor ${name} removed`,
      ...(margin === null
        ? []
        : [`its pricing rule of ${margin}% stays: chapar price rules remove --vendor ${name}`]),
    ],
  }),
}

const test: CommandForm<Static<typeof TestedVendor>> = {
  words: 'vendor test',
  about: 'ask a vendor for its models: reachable, key accepted',
  example: 'vendor test openai',
  params: { name: which },
  object: 'vendor.test',
  fails: ({ ok }) => !ok,
  subject: ({ name, ok, data }) => ({
    name,
    ...(data[0] === undefined ? {} : testOf(data[0])),
    ok,
    ...(data.length < 2
      ? {}
      : { credentials: data.map((each) => ({ name: each.name, ...testOf(each) })) }),
  }),
  said: ({ name, data }) => ({
    stdout: data.map((each) => testLine(data.length < 2 ? name : `${name} ${each.name}`, each)),
  }),
}

const testOf = ({ ok, status, models, problem, balance, is_empty: isEmpty }: Trial) => ({
  ok,
  status,
  models,
  problem: wordsOf(problem) ?? (isEmpty ? noMoney : null),
  balance,
})

/** Commands of operations on vendors. */
export const vendorCommands = { list, show, routes, add, set, remove, test }

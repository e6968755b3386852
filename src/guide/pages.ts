import alerts from './en/alerts.md' with { type: 'text' }
import anthropic from './en/anthropic.md' with { type: 'text' }
import bills from './en/bills.md' with { type: 'text' }
import ci from './en/ci.md' with { type: 'text' }
import clients from './en/clients.md' with { type: 'text' }
import commands from './en/commands.md' with { type: 'text' }
import decisions from './en/decisions.md' with { type: 'text' }
import errors from './en/errors.md' with { type: 'text' }
import fields from './en/fields.md' with { type: 'text' }
import interfacePage from './en/interface.md' with { type: 'text' }
import keys from './en/keys.md' with { type: 'text' }
import limits from './en/limits.md' with { type: 'text' }
import media from './en/media.md' with { type: 'text' }
import metrics from './en/metrics.md' with { type: 'text' }
import money from './en/money.md' with { type: 'text' }
import notices from './en/notices.md' with { type: 'text' }
import operate from './en/operate.md' with { type: 'text' }
import operators from './en/operators.md' with { type: 'text' }
import payments from './en/payments.md' with { type: 'text' }
import performance from './en/performance.md' with { type: 'text' }
import prices from './en/prices.md' with { type: 'text' }
import processes from './en/processes.md' with { type: 'text' }
import protection from './en/protection.md' with { type: 'text' }
import realtime from './en/realtime.md' with { type: 'text' }
import responses from './en/responses.md' with { type: 'text' }
import rotateKey from './en/rotate-key.md' with { type: 'text' }
import severalMachines from './en/several-machines.md' with { type: 'text' }
import settings from './en/settings.md' with { type: 'text' }
import signIn from './en/sign-in.md' with { type: 'text' }
import start from './en/start.md' with { type: 'text' }
import tryIt from './en/try-it.md' with { type: 'text' }
import verification from './en/verification.md' with { type: 'text' }
import webApp from './en/web-app.md' with { type: 'text' }
import clientsFa from './fa/clients.md' with { type: 'text' }
import errorsFa from './fa/errors.md' with { type: 'text' }
import fieldsFa from './fa/fields.md' with { type: 'text' }
import keysFa from './fa/keys.md' with { type: 'text' }
import limitsFa from './fa/limits.md' with { type: 'text' }
import moneyFa from './fa/money.md' with { type: 'text' }
import rotateKeyFa from './fa/rotate-key.md' with { type: 'text' }
import startFa from './fa/start.md' with { type: 'text' }

/** Readers of a page: callers, those who run the service, or both. */
export type GuideGroup = 'customers' | 'operators' | 'interface'

export type GuideLanguage = 'en' | 'fa'

/** One page of the guide, in Markdown with its title in the first line. */
export interface GuidePage {
  /** Last part of its address: `/docs/NAME`. */
  readonly name: string
  readonly group: GuideGroup
  readonly en: string
  /** Absent where it is in English alone. */
  readonly fa?: string
}

/** Every page, in the order of the table of contents. */
export const guidePages: readonly GuidePage[] = [
  { name: 'start', group: 'customers', en: start, fa: startFa },
  { name: 'keys', group: 'customers', en: keys, fa: keysFa },
  { name: 'money', group: 'customers', en: money, fa: moneyFa },
  { name: 'limits', group: 'customers', en: limits, fa: limitsFa },
  { name: 'errors', group: 'customers', en: errors, fa: errorsFa },
  { name: 'clients', group: 'customers', en: clients, fa: clientsFa },
  { name: 'interface', group: 'interface', en: interfacePage },
  { name: 'fields', group: 'interface', en: fields, fa: fieldsFa },
  { name: 'responses', group: 'interface', en: responses },
  { name: 'anthropic', group: 'interface', en: anthropic },
  { name: 'media', group: 'interface', en: media },
  { name: 'realtime', group: 'interface', en: realtime },
  { name: 'decisions', group: 'interface', en: decisions },
  { name: 'try-it', group: 'operators', en: tryIt },
  { name: 'operate', group: 'operators', en: operate },
  { name: 'several-machines', group: 'operators', en: severalMachines },
  { name: 'rotate-key', group: 'operators', en: rotateKey, fa: rotateKeyFa },
  { name: 'operators', group: 'operators', en: operators },
  { name: 'web-app', group: 'operators', en: webApp },
  { name: 'payments', group: 'operators', en: payments },
  { name: 'prices', group: 'operators', en: prices },
  { name: 'bills', group: 'operators', en: bills },
  { name: 'protection', group: 'operators', en: protection },
  { name: 'sign-in', group: 'operators', en: signIn },
  { name: 'verification', group: 'operators', en: verification },
  { name: 'notices', group: 'operators', en: notices },
  { name: 'metrics', group: 'operators', en: metrics },
  { name: 'alerts', group: 'operators', en: alerts },
  { name: 'ci', group: 'operators', en: ci },
  { name: 'settings', group: 'operators', en: settings },
  { name: 'commands', group: 'operators', en: commands },
  { name: 'processes', group: 'operators', en: processes },
  { name: 'performance', group: 'operators', en: performance },
]

/** Former names of pages, which links may still have. */
export const formerNames: ReadonlyMap<string, string> = new Map([['watching', 'metrics']])

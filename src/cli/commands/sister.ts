import type { Command } from 'commander'
import { findSister, removeSister, setSister } from '../../admin/sister'
import { systemClock } from '../../domain/clock'
import { maskPhone } from '../../people/phone'
import { sisterReturnPath, type SisterService } from '../../people/sister'
import { readTicket, type TicketFault } from '../../people/sister-ticket'
import { stdinText } from '../kit/session'
import { branch, leaf, withStorage, type CommonOptions } from '../kit/leaf'
import { printError, printJson, printLine } from '../kit/output'
import { localTime } from '../kit/local-time'
import { serviceNames } from './configured-service'

interface SetOptions extends CommonOptions {
  readonly name?: string
  readonly signInUrl: string
  readonly secretStdin?: true
}

const publicUrlOf = async (options: CommonOptions): Promise<string | null> =>
  (await serviceNames(options)).baseUrls[0]

const sisterView = ({ name, signInUrl, secret }: SisterService, publicUrl: string | null) => ({
  object: 'sister_service',
  name,
  sign_in_url: signInUrl,
  secret: secret === null ? null : '•••',
  audience: publicUrl,
  return_to: publicUrl === null ? null : `${publicUrl}${sisterReturnPath}`,
})

export function sisterCommand(program: Command): void {
  const sister = branch(program, 'sister', 'manage sign-in by a ticket of another service of yours')

  leaf(
    sister,
    'set',
    'set up the sister service, or change it',
    'sister set --name Barid --sign-in-url https://barid.example/chapar --secret-stdin < secret',
  )
    .option('--name <text>', 'what people call it; its host unless said')
    .requiredOption('--sign-in-url <url>', 'where a browser is sent for a ticket')
    .option('--secret-stdin', 'read the secret of tickets from standard input; kept sealed')
    .action(set)

  leaf(sister, 'show', 'show the sister service, without its secret', 'sister show').action(show)

  leaf(
    sister,
    'check',
    'say which rule a ticket breaks, without using it up',
    'sister check < ticket',
  ).action(check)

  leaf(sister, 'remove', 'let nobody sign in by a ticket any more', 'sister remove').action(
    async (options: CommonOptions) => {
      await withStorage(options, ({ sister: store }) => removeSister(store))
      if (options.json) return printJson({ object: 'sister_service', deleted: true })
      printLine('nobody signs in by a ticket any more; who is signed in stays so')
    },
  )
}

async function set(options: SetOptions): Promise<void> {
  const { name = null, signInUrl, secretStdin } = options
  const secret = secretStdin ? (await stdinText()).trim() : null
  const made = await withStorage(options, ({ sister }) =>
    setSister(sister, { name, signInUrl, secret }),
  )
  await print(made, options)
}

async function show(options: CommonOptions): Promise<void> {
  const found = await withStorage(options, ({ sister }) => findSister(sister))
  await print(found, options)
}

async function print(sister: SisterService, options: CommonOptions): Promise<void> {
  const view = sisterView(sister, await publicUrlOf(options))
  if (options.json) return printJson(view)
  const { name, sign_in_url: url, secret, audience, return_to: returnTo } = view
  printLine(`${name}: ${url}`)
  printLine(`secret: ${secret ?? 'forgotten with secret.key; set it again'}`)
  if (audience === null)
    return printError('CHAPAR_URL is not set: until it is, nobody is offered to sign in so')
  printLine(`audience of its tickets: ${audience}`)
  printLine(`where it sends browsers back: ${returnTo}#ticket=…`)
}

const faults: Readonly<Record<TicketFault, string>> = {
  form: 'not a JSON Web Token in its compact form, or longer than 2048 characters',
  algorithm: 'its header must say "alg": "HS256", and nothing critical',
  signature: 'signed with another secret, or changed since',
  claims: 'a claim is missing or of another type: aud, jti (16 to 128), phone, nonce, iat, exp',
  audience: 'aud is not the address of this service',
  time: 'over, not begun, or longer than 60 seconds from iat to exp',
  phone: 'phone is not an Iranian mobile number',
}

async function check(options: CommonOptions): Promise<void> {
  const audience = await publicUrlOf(options)
  if (audience === null) throw new RangeError('CHAPAR_URL is not set: it is what aud must say')
  const { secret } = await withStorage(options, ({ sister }) => findSister(sister))
  if (secret === null) throw new RangeError('its secret is forgotten: chapar sister set')
  const text = (await stdinText()).trim()
  const read = readTicket(text, { secret, audience, now: systemClock.now() })
  if ('fault' in read) throw new RangeError(faults[read.fault])
  const { phone, expires } = read.ticket
  if (options.json)
    return printJson({
      object: 'ticket',
      phone: maskPhone(phone),
      expires: new Date(expires).toISOString(),
    })
  printLine(
    `✓ signs in ${maskPhone(phone)} until ${localTime(expires)}, from the browser with its nonce`,
  )
}

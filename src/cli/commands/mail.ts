import { Option, type Command } from 'commander'
import { findMailServer, removeMailServer, setMailServer } from '../../admin/mail-server'
import { layOut } from '../../mail/letter'
import { mailSecurities, parseEmail, type MailSecurity, type MailServer } from '../../mail/server'
import { sendBySmtp } from '../../mail/smtp'
import { stdinText } from '../kit/session'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printFields, printJson, printLine } from '../kit/output'
import { serviceNames } from './configured-service'

interface SetOptions extends CommonOptions {
  readonly host: string
  readonly port?: number
  readonly security: MailSecurity
  readonly user?: string
  readonly from: string
  readonly passwordStdin?: true
}

const serverView = ({ password, ...server }: MailServer) => ({
  object: 'mail_server',
  ...server,
  password: password === null ? null : '•••',
})

export function mailCommand(program: Command): void {
  const mail = branch(program, 'mail', 'the server that sends notices and codes by e-mail')

  leaf(
    mail,
    'set',
    'set up the mail server, or change it',
    'mail set --host smtp.example.com --user notices --from "Chapar <notices@example.com>" --password-stdin < password',
  )
    .requiredOption('--host <name>', 'name of the server')
    .option('--port <port>', 'port; unless said 465 for tls, 587 for starttls', read.port)
    .addOption(
      new Option('--security <kind>', 'tls from the first byte, or starttls; none for this machine')
        .choices(mailSecurities)
        .default('tls'),
    )
    .option('--user <name>', 'who signs in there')
    .requiredOption('--from <address>', 'who letters are from')
    .option('--password-stdin', 'read the password from standard input; kept sealed')
    .action(set)

  leaf(mail, 'show', 'show the mail server, without its password', 'mail show').action(
    async (options: CommonOptions) => {
      const found = await withStorage(options, ({ connections }) => findMailServer(connections))
      if (options.json) return printJson(serverView(found))
      printFields(serverView(found))
    },
  )

  leaf(mail, 'test', 'send a letter for trying', 'mail test you@example.com')
    .argument('<address>', 'an address of yours')
    .action(test)

  leaf(mail, 'remove', 'send no mail any more', 'mail remove').action(
    async (options: CommonOptions) => {
      await withStorage(options, ({ connections }) => removeMailServer(connections))
      if (options.json) return printJson({ object: 'mail_server', deleted: true })
      printLine('no mail is sent any more')
    },
  )
}

async function set(options: SetOptions): Promise<void> {
  const { host, port = null, security, user = null, from, passwordStdin } = options
  const password = passwordStdin ? (await stdinText()).trim() : null
  if (password === '') throw new RangeError('the password is empty')
  const made = await withStorage(options, ({ connections }) =>
    setMailServer(connections, { host, port, security, user, from, password }),
  )
  if (options.json) return printJson(serverView(made))
  printLine(`mail goes out by ${made.host}:${made.port}; try it: chapar mail test you@example.com`)
}

async function test(typed: string, options: CommonOptions): Promise<void> {
  const to = parseEmail(typed)
  if (to === null) throw new RangeError(`${typed} is not an address`)
  const server = await withStorage(options, ({ connections }) => findMailServer(connections))
  const { services } = await serviceNames(options)
  const [service] = services
  const letter = layOut({
    language: 'en',
    service: service ?? 'chapar',
    title: 'This is a sample',
    paragraphs: ['Notices reach you by mail.', 'اعلان‌ها با نامه به شما می‌رسند.'],
    link: null,
    foot: 'Sent by chapar mail test.',
  })
  await sendBySmtp(server, to, letter, null)
  if (options.json) return printJson({ object: 'mail.test', to, ok: true })
  printLine(`✓ ${server.host} took a letter to ${to}`)
}

import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { systemClock } from '../../domain/clock'
import { databaseIn } from '../../storage/files/data-folder'
import { copyIt } from '../../storage/files/key-file'
import { renewSecrets } from '../../business/data/maintenance'
import { branch, databaseOfCommand, leaf, type CommonOptions } from '../kit/command'
import { operator } from '../kit/operator'
import { printJson, printLine } from '../kit/output'
import { counted } from '../kit/plural'
import { rotateCommand } from './secret-rotate'

interface RenewOptions extends CommonOptions {
  readonly yes?: true
}

export function secretCommand(program: Command): void {
  const secret = branch(
    program,
    'secret',
    'Manage secret.key, which opens keys and vendor credentials',
  )
  rotateCommand(secret)

  leaf(
    secret,
    'renew',
    'make a new secret.key after the old one was lost for good; money and history stay',
    'secret renew --yes',
  )
    .option('--yes', 'confirm: revokes every key and forgets every vendor credential')
    .action((options: RenewOptions) => {
      const { data: folder, yes } = options
      if (databaseOfCommand(options) !== null)
        throw new RangeError(`all machines on a database have the same secret.key: ${copyIt}`)
      if (!existsSync(databaseIn(folder))) throw new RangeError(`there is no database in ${folder}`)
      if (yes !== true)
        throw new RangeError(
          'every key would be revoked and every credential of a vendor forgotten: say --yes',
        )
      const renewed = renewSecrets(folder, systemClock, operator())
      const { revoked, vendors, smsProviders, gateways, redeemCodes, sister } = renewed
      const { connections, webhooks, verifications } = renewed
      if (options.json)
        return printJson({
          object: 'secret',
          revoked,
          vendors,
          sms_providers: smsProviders,
          gateways,
          redeem_codes: redeemCodes,
          sister,
          connections,
          webhooks,
          verifications,
        })
      printLine(`a new secret.key is in ${folder}; ${counted(revoked, 'key')} revoked`)
      printLine('make new ones with chapar key create')
      for (const name of vendors)
        printLine(`${name} is off: chapar vendor remove ${name}, then vendor add with its key`)
      for (const name of smsProviders) printLine(`${name} sends no codes: chapar sms set ${name}`)
      for (const name of connections) printLine(forgotten[name] ?? name)
      if (webhooks > 0) printLine(`${webhooks} webhooks of accounts wait for a new secret`)
      if (verifications > 0) printLine(`${verifications} national codes cannot be read any more`)
      for (const name of gateways) printLine(`${name} takes no money: chapar gateway set ${name}`)
      if (redeemCodes > 0)
        printLine(
          `${redeemCodes} redeem codes are worth nothing: sell new ones (chapar code create)`,
        )
      if (sister) printLine('the sister service signs nobody in: chapar sister set')
    })
}

const forgotten: Readonly<Record<string, string>> = {
  mail: 'mail goes out without its password: chapar mail set',
  verification: 'identities are asked for without a secret: chapar verification set',
}

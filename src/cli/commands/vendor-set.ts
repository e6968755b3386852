import type { Command } from 'commander'
import { percentOf, vendorKinds } from '../../admin/vendor-address'
import { checkVendorAnswers } from '../../admin/vendor-trial'
import { isKeyElsewhere, vendorView } from '../../admin/vendor-view'
import { setVendor, vendorNamed } from '../../admin/vendors'
import type { VendorConfig } from '../../domain/model'
import { getJson } from '../../outbound/get-json'
import { leaf, read, refusing, withNewStorage } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printJson } from '../kit/output'
import { withService, type CommandParts } from './with-service'
import {
  firstTokenOption,
  marginOption,
  transportOption,
  vendorChangeOf,
  withTest,
  type SetVendorOptions,
} from './vendor-config'
import { givenKey } from '../kit/given-key'
import { printProposed, printVendor, vendorParts } from './vendor-lines'

/** `vendor set`: what is known of a vendor stays, but for what is named. */
export function vendorSetCommand(vendor: Command): void {
  const command = leaf(
    vendor,
    'set',
    'change a vendor, its key too, or switch it off and on; what is not named stays',
    'vendor set openai --api-key-stdin < key',
  )
    .argument('<name>', 'name of the vendor; also one found in the environment, and sandbox')
    .option('--off', 'its models are not available for the moment, but by other vendors')
    .option('--on', 'available again')
    .option('--api-key <key>', 'our key there, in the place of the default one')
    .option(
      '--api-key-stdin',
      'read our key from standard input: it stays out of the shell’s history',
    )
    .option('--base-url <url>', 'address up to and with the version')
    .option('--kind <kind>', `what it speaks: ${vendorKinds.join(', ')}`)
    .option('--dialect <name>', 'how it deviates')
    .option(
      '--markup <percent>',
      'on its costs, by a pricing rule of its own; prices by rule move at once',
      (text) => refusing(() => percentOf(text)),
    )
    .addOption(marginOption().argParser((text) => refusing(() => percentOf(text))))
    .option('--timeout <seconds>', 'longest wait for the first byte', read.count)
    .addOption(firstTokenOption())
    .addOption(transportOption())
    .option('--rename <name>', 'its name from now on, in routes and rules too')
  withTest(command).action(set)
}

async function set(name: string, options: SetVendorOptions): Promise<void> {
  const credential = await givenKey(options)
  const { outcome, view } = await withService(
    options,
    async (parts) => {
      const vendor = await vendorNamed(parts, name)
      const change = vendorChangeOf(vendor, options)
      const key = credential === null ? {} : { credential }
      const changed = { ...vendor, ...change, ...key, name }
      if (options.test && isToBeTried(parts, vendor, changed))
        await checkVendorAnswers(getJson, changed, options.force === true)
      const set = await setVendor(parts, name, { ...change, ...key }, operator())
      return { outcome: set, view: await vendorView(vendorParts(parts), set.vendor) }
    },
    withNewStorage,
  )
  if (options.json) return printJson({ ...view, proposed: outcome.proposed })
  printVendor(view)
  printProposed(outcome)
}

/** Another address or another key may be wrong; one that is not known here cannot be tried. */
const isToBeTried = (parts: CommandParts, was: VendorConfig, now: VendorConfig): boolean =>
  (was.baseUrl !== now.baseUrl || was.kind !== now.kind || was.credential !== now.credential) &&
  !isKeyElsewhere(parts, now)

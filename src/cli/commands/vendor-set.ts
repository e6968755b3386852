import type { Command } from 'commander'
import { setVendor, vendorNamed, type VendorOutcome } from '../../admin/vendors'
import { leaf, read, refusing, withNewStorage } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printFields, printJson } from '../kit/output'
import { withService } from './with-service'
import {
  percentOf,
  transportOption,
  vendorChangeOf,
  vendorKinds,
  type SetVendorOptions,
} from './vendor-config'
import { givenKey } from './vendor-key'
import { printProposed, vendorView } from './vendor-view'

/** `vendor set`: what is known of a vendor stays, but for what is named. */
export function vendorSetCommand(vendor: Command): void {
  leaf(
    vendor,
    'set',
    'change a vendor, its key too, or switch it off and on; what is not named stays',
    'vendor set openai --api-key-stdin < key',
  )
    .argument('<name>', 'name of the vendor; also one found in the environment, and sandbox')
    .option('--off', 'its models are not available for the moment, but by other vendors')
    .option('--on', 'available again')
    .option('--api-key <key>', 'our key there')
    .option(
      '--api-key-stdin',
      'read our key from standard input: it stays out of the shell’s history',
    )
    .option('--base-url <url>', 'address up to and with the version')
    .option('--kind <kind>', `what it speaks: ${vendorKinds.join(', ')}`)
    .option('--dialect <name>', 'how it deviates')
    .option(
      '--margin <percent>',
      'markup of its own pricing rule; prices by rule move at once',
      (text) => refusing(() => percentOf(text)),
    )
    .option('--timeout <seconds>', 'longest wait for the first byte', read.count)
    .addOption(transportOption())
    .option('--rename <name>', 'its name from now on, in routes and rules too')
    .action(async (name: string, options: SetVendorOptions) => {
      const credential = await givenKey(options)
      const { outcome, view } = await withService(
        options,
        (parts) => {
          const change = vendorChangeOf(vendorNamed(parts, name), options)
          const key = credential === null ? {} : { credential }
          const outcome: VendorOutcome = setVendor(parts, name, { ...change, ...key }, operator())
          return { outcome, view: vendorView(parts, outcome.vendor) }
        },
        withNewStorage,
      )
      if (options.json) return printJson({ ...view, proposed: outcome.proposed })
      printFields(view)
      printProposed(outcome)
    })
}

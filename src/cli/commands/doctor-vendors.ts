import { credentialIn, credentialsOf, hasSeveral } from '../../catalogue/credentials'
import type { VendorConfig } from '../../domain/model'
import { wholeVendor, type VendorState, type VendorTrouble } from '../../domain/vendor-state'
import { finding, type Finding } from './doctor-checks'
import { balanceText, problemText, testVendor } from './vendor-test'

const ok = finding('ok')
const warn = finding('warn')
const fail = finding('fail')

/** Vendors, and what is known of them. */
interface VendorsToCheck {
  readonly vendors: readonly VendorConfig[]
  /** Names of those whose keys are not known here. */
  readonly keysElsewhere: ReadonlySet<string>
  /** What the gateway wrote down of them. */
  readonly states: readonly VendorState[]
}

/** Each is asked for its models with each of our credentials, all at once. */
export async function checkVendors({
  vendors,
  keysElsewhere,
  states,
}: VendorsToCheck): Promise<readonly Finding[]> {
  const each = await Promise.all(
    vendors.map(async (vendor) => {
      const known = states.filter((state) => state.vendor === vendor.name)
      if (!vendor.active) return [ok(`vendor ${vendor.name}`, 'switched off')]
      const troubles = known.flatMap((state) => troubleFinding(vendor, state))
      if (keysElsewhere.has(vendor.name) && vendor.source === 'environment')
        return [...troubles, notAsked(vendor)]
      const asked = await Promise.all(credentialsOf(vendor).map(askedFinding))
      return [...troubles, ...asked]
    }),
  )
  return each.flat()
}

const notAsked = ({ name }: VendorConfig): Finding =>
  ok(`vendor ${name}`, 'in the environment of the gateway; not asked, its key is not known here')

async function askedFinding(vendor: VendorConfig): Promise<Finding> {
  const { name } = vendor
  const check =
    vendor.credentialName === undefined
      ? `vendor ${name}`
      : `vendor ${name} ${credentialIn(vendor)}`
  const { problem, models, balance, isEmpty } = await testVendor(vendor)
  if (problem !== null)
    return fail(
      check,
      problemText(problem),
      `chapar vendor test ${name}, chapar vendor set ${name}`,
    )
  if (isEmpty) return fail(check, 'our account there has no money left', 'top it up there')
  return ok(
    check,
    `reached, ${models} models${balance === null ? '' : `, ${balanceText(balance)} left`}`,
  )
}

const words: Readonly<Record<VendorTrouble, string>> = {
  refuses_key: 'the gateway was refused',
  out_of_money: 'the gateway found our account empty',
  down: 'the gateway finds it down',
}

/** A trouble that the gateway met, whatever a look from here says. */
function troubleFinding(
  vendor: VendorConfig,
  { credential, trouble, since }: VendorState,
): readonly Finding[] {
  if (trouble === null || since === null) return []
  const { name } = vendor
  const check =
    credential === wholeVendor || !hasSeveral(vendor)
      ? `vendor ${name}`
      : `vendor ${name} ${credential}`
  const found = `${words[trouble]} since ${new Date(since).toISOString()}`
  return [warn(check, found, `chapar vendor show ${name}, chapar vendor test ${name}`)]
}

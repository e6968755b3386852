import { credentialIn, credentialsOf, hasSeveral } from '../../../gateway/catalogue/credentials'
import type { VendorConfig } from '../../../domain/model'
import { wholeVendor, type VendorState, type VendorTrouble } from '../../../domain/vendor-state'
import { finding, type Finding, type FindingCode } from '../finding'
import { trialOf, type RequestVendor } from '../../catalogue/vendor-test'
import { balanceText, problemText } from '../../catalogue/operations/vendor-words'
import { localTime } from '../../../domain/local-time'
import { counted } from '../command'

const ok = finding('ok')
const warn = finding('warn')
const fail = finding('fail')

/** Vendors, and what is known of them. */
interface VendorsToCheck {
  readonly vendors: readonly VendorConfig[]
  /** Names of those whose keys are not known here. */
  readonly keysElsewhere: ReadonlySet<string>
  /** Their health as the gateway wrote it down. */
  readonly states: readonly VendorState[]
  readonly askVendor: RequestVendor
}

/** Each is asked for its models with each of our credentials, all at once. */
export async function checkVendors({
  vendors,
  keysElsewhere,
  states,
  askVendor: requestVendor,
}: VendorsToCheck): Promise<readonly Finding[]> {
  const each = await Promise.all(
    vendors.map(async (vendor) => {
      const known = states.filter((state) => state.vendor === vendor.name)
      if (!vendor.active) {
        const words = { check: `vendor ${vendor.name}`, found: 'switched off' }
        return [ok('vendor_off', { vendor: vendor.name }, words)]
      }
      const troubles = known.flatMap((state) => troubleFinding(vendor, state))
      if (keysElsewhere.has(vendor.name) && vendor.source === 'environment')
        return [...troubles, notRequested(vendor)]
      const asked = await Promise.all(
        credentialsOf(vendor).map((each) => requestedFinding(requestVendor, each)),
      )
      return [...troubles, ...asked]
    }),
  )
  return each.flat()
}

const notRequested = ({ name }: VendorConfig): Finding =>
  ok(
    'vendor_not_asked',
    { vendor: name },
    {
      check: `vendor ${name}`,
      found: 'in the environment of the gateway; not asked, its key is not known here',
    },
  )

async function requestedFinding(
  requestVendor: RequestVendor,
  vendor: VendorConfig,
): Promise<Finding> {
  const { name } = vendor
  const named = vendor.credentialName === undefined ? name : `${name} ${credentialIn(vendor)}`
  const check = `vendor ${named}`
  const { problem, models, balance, isEmpty } = await trialOf(requestVendor, vendor)
  if (problem !== null)
    return fail(
      'vendor_fails',
      { vendor: named, problem: problemText(problem) },
      {
        check,
        found: problemText(problem),
        advice: `chapar vendor test ${name}, chapar vendor set ${name}`,
      },
    )
  if (isEmpty)
    return fail(
      'vendor_empty',
      { vendor: named },
      {
        check,
        found: 'our account there has no money left',
        advice: 'top it up there',
      },
    )
  const left = balance === null ? '' : balanceText(balance)
  return ok(
    'vendor_reached',
    { vendor: named, models, left: left === '' ? '–' : left },
    {
      check,
      found: `reached, ${counted(models, 'model')}${left === '' ? '' : `, ${left} left`}`,
    },
  )
}

const words: Readonly<Record<VendorTrouble, string>> = {
  refuses_key: 'the gateway was refused',
  out_of_money: 'the gateway found our account empty',
  down: 'the gateway finds it down',
}

const codes: Readonly<Record<VendorTrouble, FindingCode>> = {
  refuses_key: 'vendor_refuses_key',
  out_of_money: 'vendor_out_of_money',
  down: 'vendor_down',
}

/** A trouble that the gateway met, whatever a look from here says. */
function troubleFinding(
  vendor: VendorConfig,
  { credential, trouble, since }: VendorState,
): readonly Finding[] {
  if (trouble === null || since === null) return []
  const { name } = vendor
  const named = credential === wholeVendor || !hasSeveral(vendor) ? name : `${name} ${credential}`
  const time = new Date(since).toISOString()
  return [
    warn(
      codes[trouble],
      { vendor: named, since: time },
      {
        check: `vendor ${named}`,
        found: `${words[trouble]} since ${localTime(since)}`,
        advice: `chapar vendor show ${name}, chapar vendor test ${name}`,
      },
    ),
  ]
}

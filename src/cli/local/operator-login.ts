import type { Command } from 'commander'
import { isFields } from '../../gateway/json/fields'
import { isInteractive, printJson, printLine } from '../kit/output'
import { leaf, type CommonOptions } from '../kit/command'
import { getJson } from '../../gateway/outbound/get-json'
import { gatewayOrigin } from '../remote/gateway-origin'
import { saveKey } from '../remote/saved-keys'

const timeoutMs = 10_000

/** Keeps the key of an operator for `--remote`. */
export function operatorLoginCommand(operator: Command): void {
  leaf(
    operator,
    'login',
    'keep the key of an operator for --remote, readable by you alone; it is read from standard input',
    'operator login https://ai.example.com < key',
  )
    .argument('<url>', 'address where operators reach the gateway')
    .action(async (url: string, options: CommonOptions) => {
      const origin = gatewayOrigin(url)
      const key = await keyGiven()
      const { status, body } = await getJson(
        `${origin}/admin/v1/identity`,
        new Headers({ authorization: `Bearer ${key}` }),
        timeoutMs,
      )
      if (status === null) throw new RangeError(`the gateway at ${origin} does not answer`)
      if (status !== 200 || !isFields(body))
        throw new RangeError(`${origin} does not take this key (${status})`)
      const kept = saveKey(origin, key)
      const { who, role } = body
      if (options.json) return printJson({ object: 'operator_login', url: origin, who, role })
      printLine(`${String(who)} (${String(role)}) at ${origin}; kept in ${kept}`)
      printLine(`try it: chapar --remote ${origin} account list`)
    })

  leaf(operator, 'logout', 'forget the key for a gateway', 'operator logout https://ai.example.com')
    .argument('<url>', 'address where operators reach the gateway')
    .action((url: string, options: CommonOptions) => {
      const origin = gatewayOrigin(url)
      saveKey(origin, null)
      if (options.json) return printJson({ object: 'operator_logout', url: origin })
      printLine(
        `the key for ${origin} is forgotten here; chapar operator key revoke ends it for good`,
      )
    })
}

async function keyGiven(): Promise<string> {
  const key = isInteractive() ? await requestedKey() : (await Bun.stdin.text()).trim()
  if (key === '') throw new RangeError('standard input holds no key')
  return key
}

async function requestedKey(): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts')
  const answer = await password({ message: 'Key of an operator (op-v1-…)' })
  return isCancel(answer) ? '' : (answer ?? '').trim()
}

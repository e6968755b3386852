import type { Command } from 'commander'
import { importModels } from '../../admin/import-models'
import { modelsListed } from '../../admin/vendor-trial'
import { checkKeyHere } from '../../admin/vendor-view'
import { vendorNamed } from '../../admin/vendors'
import { checkPattern } from '../../identity/model-patterns'
import { getJson } from '../../outbound/get-json'
import { leaf, type CommonOptions } from '../kit/leaf'
import { printJson, printLine } from '../kit/output'
import { problemText } from '../../admin/operations/vendor-words'
import { withService } from './with-service'

/** `model import`: what a vendor lists, as far as its costs are known. */
export function modelImportCommand(model: Command): void {
  leaf(
    model,
    'import',
    'put models that a vendor lists on sale, with costs of the public prices',
    'model import openrouter "openai/*"',
  )
    .argument('<vendor>', 'name of the vendor')
    .argument('[pattern...]', 'ids or patterns of those that are wanted (default: all)')
    .action(run)
}

async function run(
  vendor: string,
  patterns: readonly string[] | undefined,
  options: CommonOptions,
): Promise<void> {
  const wanted = (patterns ?? []).map(checkPattern)
  const { imported, known, uncosted } = await withService(options, async (parts) => {
    const named = await vendorNamed(parts, vendor)
    checkKeyHere(parts, named)
    const { names, problem } = await modelsListed(getJson, named)
    if (problem !== null) throw new RangeError(`${vendor}: ${problemText(problem)}`)
    const listed = names.filter((name) => name !== '')
    return importModels(parts, vendor, listed, wanted)
  })
  if (options.json) return printJson({ object: 'model.import', vendor, imported, known, uncosted })
  printLine(
    imported.length === 0
      ? 'nothing new is on sale'
      : `${imported.length} on sale now: ${imported.join(', ')}`,
  )
  if (known.length > 0) printLine(`${known.length} were known before and stay as they are`)
  if (uncosted.length > 0)
    printLine(
      `not sold, since nobody knows their cost: ${uncosted.join(', ')}\nchapar model add --id ID --type chat --route ${vendor}:MODEL --price …`,
    )
}

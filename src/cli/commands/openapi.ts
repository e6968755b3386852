import type { Command } from 'commander'
import { printed } from '../../api/reference'
import { reference } from '../../api/table'
import { leaf, type CommonOptions } from '../kit/leaf'
import { printJson, printPart } from '../kit/output'

export function openapiCommand(program: Command): void {
  leaf(
    program,
    'openapi',
    'print the OpenAPI document of the interface',
    'openapi > openapi.json',
  ).action((options: CommonOptions) => {
    const document = reference.document()
    if (options.json) return printJson(document)
    printPart(printed(document))
  })
}

import type { Command } from 'commander'
import { printed } from '../routes/reference'
import { reference } from '../routes/table'
import { leaf, type CommonOptions } from './leaf'
import { printJson, printPart } from './output'

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

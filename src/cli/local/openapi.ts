import type { Command } from 'commander'
import { adminDocument } from '../../business/operations/document'
import { printed } from '../../gateway/api/reference'
import type { JsonFields } from '../../gateway/api/reference/json-schema'
import { reference } from '../../gateway/api/table'
import { leaf, type CommonOptions } from '../kit/command'
import { printJson, printPart } from '../kit/output'

interface OpenapiOptions extends CommonOptions {
  readonly admin?: true
}

export function openapiCommand(program: Command): void {
  leaf(program, 'openapi', 'print the OpenAPI document of the interface', 'openapi > openapi.json')
    .option('--admin', 'that of /admin/v1, for programs that operate the service')
    .action((options: OpenapiOptions) => {
      const document =
        options.admin === true ? (adminDocument() as JsonFields) : reference.document()
      if (options.json) return printJson(document)
      printPart(printed(document))
    })
}

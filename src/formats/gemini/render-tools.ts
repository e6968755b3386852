import type { ToolChoice, ToolOption, ToolOptions } from '../chat/tool-options'
import { fieldsOf, type Fields } from '../../json/fields'

/** The members `tools` and `toolConfig`, as far as there are any. */
export function renderTools({ tools, choice }: ToolOptions, search: boolean): Fields {
  // Its own search is refused beside functions.
  if (tools.length === 0) return search ? { tools: [{ googleSearch: {} }] } : {}
  const declared = { tools: [{ functionDeclarations: tools.map(declarationOf) }] }
  if (choice === null) return declared
  return { ...declared, toolConfig: { functionCallingConfig: callingConfig(choice) } }
}

/** `parameters` would take a small dialect of schemas only and refuse all others whole. */
function declarationOf({ name, description, parameters }: ToolOption): Fields {
  const declaration: Fields = { name }
  if (description !== null) declaration['description'] = description
  if (parameters !== null && Object.keys(fieldsOf(parameters['properties'])).length > 0)
    declaration['parametersJsonSchema'] = parameters
  return declaration
}

function callingConfig(choice: ToolChoice): Fields {
  switch (choice.kind) {
    case 'none':
      return { mode: 'NONE' }
    case 'auto':
      return { mode: 'AUTO' }
    case 'required':
      return { mode: 'ANY' }
  }
  return { mode: 'ANY', allowedFunctionNames: [choice.name] }
}

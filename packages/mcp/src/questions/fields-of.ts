import type { Question, QuestionChoice, QuestionField } from './question.ts';

/** The name of the one field of a question with choices. */
export const choiceField = 'choice';

const maxFields = 20;
const maxChoices = 50;

/** Names that every client can show and send back, and no property that objects have by themselves. */
const usableName = /^(?!__proto__$)[A-Za-z_][\w-]{0,63}$/;

/** The fields of a question's form. Null where a form of MCP cannot hold them, or the user could not tell them apart. */
export function fieldsOf(question: Question): readonly QuestionField[] | null {
  const fields: readonly QuestionField[] =
    'fields' in question
      ? question.fields
      : [{ name: choiceField, label: 'Your choice', type: 'choice', choices: question.choices }];
  const isUsable =
    usableName.test(question.handle) &&
    question.message.trim() !== '' &&
    fields.length > 0 &&
    fields.length <= maxFields &&
    haveNames(fields) &&
    fields.every((field) => field.type !== 'choice' || areChoices(field.choices));
  return isUsable ? fields : null;
}

function areChoices(choices: readonly QuestionChoice[]): boolean {
  return choices.length > 0 && choices.length <= maxChoices && haveNames(choices);
}

function haveNames(items: readonly { readonly name: string }[]): boolean {
  return (
    items.every(({ name }) => usableName.test(name)) && new Set(items.map(({ name }) => name)).size === items.length
  );
}

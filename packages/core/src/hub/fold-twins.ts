/** Letters of other scripts that look like Latin ones, and signs that look like others. */
const twins: Readonly<Record<string, string>> = {
  ...{
    А: 'A',
    В: 'B',
    Е: 'E',
    К: 'K',
    М: 'M',
    Н: 'H',
    О: 'O',
    Р: 'P',
    С: 'C',
    Т: 'T',
    Х: 'X',
    Ѕ: 'S',
    Ј: 'J',
    І: 'I',
    У: 'Y',
  },
  ...{
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    х: 'x',
    ѕ: 's',
    ј: 'j',
    і: 'i',
    у: 'y',
    ԁ: 'd',
    ԛ: 'q',
    ԝ: 'w',
    һ: 'h',
    ӏ: 'l',
  },
  ...{ Α: 'A', Β: 'B', Ε: 'E', Ζ: 'Z', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M', Ν: 'N', Ο: 'O', Ρ: 'P', Τ: 'T', Υ: 'Y', Χ: 'X' },
  ...{ ο: 'o', ν: 'v', ι: 'i', α: 'a', Ꭲ: 'T', Ꮤ: 'W', ı: 'i', ɡ: 'g', ː: ':', '։': ':', '׃': ':', '∶': ':', '꞉': ':' },
  ...{ '⟦': '[', '⁅': '[', '〔': '[', '【': '[', '❲': '[' },
};

const dash = /[\p{Pd}\u2212\u2500-\u2505\u2013\u2014\u2015\u30fc\u4e00\u02d7\u2043\u268a]/gu;

/** A text with letters that look like others of ASCII as those, and every dash as `-`. */
export function foldTwins(head: string): string {
  let folded = '';
  for (const character of head) {
    folded += foldTwin(character);
  }
  return folded;
}

/** Letters of a text come again and again. */
const folds = new Map<string, string>();

const maxFolds = 10_000;

function foldTwin(character: string): string {
  const known = folds.get(character);
  if (known !== undefined) {
    return known;
  }
  const plain = character.normalize('NFKC').replace(dash, '-');
  const folded = twins[plain] ?? plain;
  if (folds.size < maxFolds) {
    folds.set(character, folded);
  }
  return folded;
}

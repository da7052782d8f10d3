// The files that operators start with name metrics, settings, routes and codes as the server has them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { rootDirectory } from './run-step.mjs';

const read = (path) => readFileSync(join(rootDirectory, path), 'utf8');
const deploy = 'apps/mcp-http/deploy';
const dashboard = JSON.parse(read(`${deploy}/grafana-dashboard.json`));
const { groups } = parse(read(`${deploy}/alerts.yml`));
const kubernetes = readdirSync(join(rootDirectory, deploy, 'kubernetes'));
const resources = kubernetes.flatMap((file) =>
  parseAllDocuments(read(`${deploy}/kubernetes/${file}`)).map((document) => document.toJS()),
);

/** By name, the labels of a metric. prom-client's own have no labels that we use. */
const metrics = new Map(
  [...read('docs/http/deployment.md').matchAll(/^\| (`gemini_mcp_[^|]+)\|([^|]*)\|/gm)].flatMap(([, names, labels]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    ]),
  ),
);
const source = read('apps/mcp-http/src/operation/create-metrics.ts');

const expressions = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])),
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr])),
];

/** Metrics in an expression, with the labels that select them. */
function selectorsOf(expression) {
  return [...expression.matchAll(/(gemini_mcp_\w+?)(?:_bucket)?(?:\{([^}]*)\})?(?=[\s)[,]|$)/g)].map(
    ([, name, labels = '']) => ({ name, labels: [...labels.matchAll(/(\w+)(?==|!=)/g)].map(([, label]) => label) }),
  );
}

it('the list of metrics in the documents is that of the server', () => {
  const named = [...source.matchAll(/'(gemini_mcp_[a-z_]*[a-z])'/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...metrics.keys()].filter((name) => !name.endsWith('_')).toSorted());
});

describe.each(expressions)('%s', (_, expression) => {
  it('asks for metrics and labels that exist', () => {
    const selectors = selectorsOf(expression).filter(({ name }) => !/_(process|nodejs)_/.test(name));
    const further = ['instance', 'le'];
    for (const { name, labels } of selectors) {
      expect([...metrics.keys()]).toContain(name);
      expect(labels.filter((label) => ![...metrics.get(name), ...further].includes(label))).toEqual([]);
    }
    const sums = [...expression.matchAll(/sum by \(([^)]*)\)/g)].flatMap(([, labels]) => labels.split(', '));
    const known = selectors.flatMap(({ name }) => metrics.get(name));
    expect(sums.filter((label) => ![...known, ...further].includes(label))).toEqual([]);
  });
});

it('there are six alerts, each with what to do', () => {
  const rules = groups.flatMap((group) => group.rules);
  expect(rules).toHaveLength(6);
  expect(rules.filter(({ annotations }) => !annotations.summary || !annotations.description)).toEqual([]);
});

it('alerts name codes and outcomes of the server', () => {
  const values = expressions.flatMap(([, text]) => [...text.matchAll(/(?:code|outcome)!?[=~]+"([^"]+)"/g)]);
  const named = values.flatMap(([, value]) => value.split('|'));
  const known = [
    read('apps/mcp-http/src/access/authenticate.ts'),
    read('packages/core/src/failure/gemini-failure.ts'),
    source,
  ].join('\n');
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((value) => !known.includes(`'${value}'`))).toEqual([]);
});

it('containers are given settings that exist, and probes that answer', () => {
  const pages = [
    'docs/configuration.md',
    ...['access', 'deployment', 'several-machines'].map((name) => `docs/http/${name}.md`),
  ];
  const settings = pages.map(read).join('\n');
  const texts = [`${deploy}/compose.yaml`, ...kubernetes.map((file) => `${deploy}/kubernetes/${file}`)].map(read);
  const variables = texts.join('\n').match(/GEMINI_\w+/g);
  expect(variables.length).toBeGreaterThan(8);
  expect([...new Set(variables)].filter((name) => !settings.includes(`\`${name}`))).toEqual([]);
  const paths = texts.join('\n').match(/path: \/\w+/g);
  expect(paths).toEqual(['path: /readyz', 'path: /healthz']);
});

it('the kustomize base lists all of its files, and selectors match what they select', () => {
  const { resources: listed } = resources.find(({ kind }) => kind === 'Kustomization');
  expect(listed.toSorted()).toEqual(kubernetes.filter((file) => file !== 'kustomization.yaml').toSorted());
  const apps = resources
    .filter(({ spec }) => spec?.template !== undefined)
    .map(({ spec }) => spec.template.metadata.labels.app);
  const selected = resources.flatMap(({ spec }) => {
    const { selector, podSelector } = spec ?? {};
    return [podSelector?.matchLabels.app ?? selector?.matchLabels?.app ?? selector?.app].filter(Boolean);
  });
  expect(new Set(selected)).toEqual(new Set(apps));
});

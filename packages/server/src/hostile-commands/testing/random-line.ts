import { relative } from 'node:path';
import { parseCommand } from '@gemini-mcp/agent-tools';
import { judgePlan, shippedCommandRules } from '@gemini-mcp/core/internal';
import { type PickNumber, pickOne } from './random-pick.ts';
import type { RandomTree } from './random-tree.ts';

const freshNames = [
  'n1',
  'n2',
  'n3.txt',
  '.env',
  '.github',
  '.git',
  '.GIT',
  '.vscode',
  'AGENTS.md',
  'id_rsa',
  'CACHEDIR.TAG',
] as const;
const modes = ['755', '700', '555', '500', '4755', '311', '000'] as const;

/** Writes command lines that try to get out, to see secrets, and to change protected or unwatched files. */
export class RandomLines {
  readonly #tree: RandomTree;
  readonly #pick: PickNumber;
  #paths: readonly string[] = ['.'];

  constructor(tree: RandomTree, pick: PickNumber) {
    this.#tree = tree;
    this.#pick = pick;
  }

  /** A line that the shipped rules allow unasked. `paths`: the current files, relative to the project. */
  next(paths: readonly string[]): string {
    this.#paths = paths;
    for (;;) {
      const stages = Array.from({ length: 1 + this.#pick(2) }, () => this.#stage());
      const line = stages.reduce(
        (one, other) => `${one}${pickOne(this.#pick, [' && ', ' ; ', ' || ', ' | '])}${other}`,
      );
      const reading = parseCommand(line);
      if (reading.ok && judgePlan(reading.plan, shippedCommandRules).decision === 'allow') {
        return line;
      }
    }
  }

  /** Something that is there, as a word. */
  #old(): string {
    return this.#word(pickOne(this.#pick, this.#paths as [string, ...string[]]));
  }

  #new(): string {
    const above = pickOne(this.#pick, this.#paths as [string, ...string[]]);
    return this.#word(`${above}/${pickOne(this.#pick, [...freshNames])}`);
  }

  #any(): string {
    return this.#pick(2) === 0 ? this.#old() : this.#new();
  }

  #out(): string {
    const { outside } = this.#tree;
    return `${outside}/${pickOne(this.#pick, ['canary.txt', '.env', 'deep/er', 'empty', 'made', '.git/config'])}`;
  }

  #target(): string {
    const { project, outside } = this.#tree;
    return pickOne(this.#pick, [
      outside,
      '/etc',
      '..',
      '../..',
      '../outside',
      '../../outside',
      `/oldroot${outside}`,
      project,
      '/proc/self/root',
    ]);
  }

  /** Relative to the working directory; what only a program can write in another way. */
  #word(path: string): string {
    const { project, workingDirectory } = this.#tree;
    const shown = relative(workingDirectory, `${project}/${path}`) || '.';
    return `'${/[\n\\']/.test(shown) ? '.' : shown}'`;
  }

  #stage(): string {
    return pickOne(this.#pick, [...this.#tools(), ...this.#programs(), () => this.#trap()] as [() => string])();
  }

  #tools(): readonly (() => string)[] {
    const [pick, { outside }] = [this.#pick, this.#tree];
    return [
      () => `mv ${this.#old()} ${this.#any()}`,
      () => `mv -T ${this.#old()} ${this.#any()}`,
      () => `cp -r ${this.#old()} ${this.#any()}`,
      () => `cp -a ${this.#old()} ${this.#any()}`,
      () => `cp -rl ${this.#old()} ${this.#any()}`,
      () => `ln ${this.#old()} ${this.#new()}`,
      () => `ln -s ${this.#target()} ${this.#new()}`,
      () => `ln -sfn ${this.#target()} ${this.#any()}`,
      () => `rm -rf ${this.#old()}`,
      () => `rm ${this.#old()}`,
      () => `mkdir -p ${this.#new()}/deep`,
      () => `touch ${this.#any()}`,
      () => `chmod ${pickOne(pick, [...modes])} ${this.#old()}`,
      () => `sed -i s/a/b/ ${this.#old()}`,
      () => `echo changed > ${this.#any()}`,
      () => `tee ${this.#any()} ${this.#any()}`,
      () => `cat ${this.#old()} ${this.#old()} ${this.#out()}`,
      () => `grep -rs CANARY . ${outside}`,
      () => `head -c 300 ${this.#old()} ${this.#out()}`,
      () => `ls -la ${this.#old()} ${outside} /`,
      () => `find . -type f -size -2 -newer ${this.#old()}`,
      () => `sort ${this.#old()} ${this.#out()}`,
      () => `diff -r ${this.#old()} ${this.#old()}`,
      () => `cp ${this.#old()} ${this.#out()}`,
      () => `mv ${this.#old()} ${outside}`,
    ];
  }

  #programs(): readonly (() => string)[] {
    const [pick, { outside }] = [this.#pick, this.#tree];
    const fs = `const fs=require("fs");const t=(f)=>{try{console.log(String(f()))}catch(e){console.log(e.code)}};`;
    const all = `const all=(d)=>{try{return fs.readdirSync(d,{recursive:true}).slice(0,400).map((n)=>d+"/"+n)}catch{return []}};`;
    const text = (word: string): string => JSON.stringify(word.slice(1, -1));
    return [
      () => `python3 -m tarfile -c ${this.#new()}.tar ${this.#old()}`,
      () => `python3 -m zipfile -c ${this.#new()}.zip ${this.#old()}`,
      () => `python3 -c 'import shutil; shutil.make_archive("n4", "tar", ".")'`,
      () => `git ${pickOne(pick, ['status', 'diff', 'grep CANARY', 'ls-files -o', 'log -p', 'diff --no-index . a'])}`,
      () =>
        `node -e '${fs}${all}t(()=>fs.renameSync(${text(this.#old())},${text(this.#any())}));for(const p of all("."))t(()=>fs.readFileSync(p))'`,
      () =>
        `node -e '${fs}t(()=>fs.symlinkSync("${this.#target()}",${text(this.#new())}));t(()=>fs.writeFileSync(${text(this.#any())}+"/canary.txt","x"))'`,
      () =>
        `node -e '${fs}${all}for(const p of all("/proc/self/cwd/../outside"))t(()=>fs.readFileSync(p));for(const d of fs.readdirSync("/proc"))t(()=>fs.readFileSync("/proc/"+d+"/root${outside}/canary.txt"))'`,
      () =>
        `node -e '${fs}t(()=>fs.linkSync(${text(this.#old())},${text(this.#new())}));t(()=>fs.cpSync(${text(this.#old())},${text(this.#new())},{recursive:true}))'`,
      () =>
        `node -e '${fs}for(const n of [".git","node_modules",".venv"])t(()=>fs.mkdirSync(${text(this.#old())}+"/"+n+"/hooks",{recursive:true}));t(()=>fs.writeFileSync(${text(this.#old())}+"/.git/config","x"))'`,
    ];
  }

  /** A directory goes away, and a link or a directory with a link in it takes its place. */
  #trap(): string {
    const [one, other] = [this.#old(), this.#new()];
    const name = pickOne(this.#pick, ['.github', '.git', '.env', '.claude', 'sub', 'node_modules']);
    const lay = pickOne(this.#pick, [
      `ln -s ${this.#target()} ${one}`,
      `mkdir -p ${one} && ln -s ${this.#target()} ${one}/${name}`,
    ]);
    return `mv -T ${one} ${other} && ${lay} ; cat ${other}/${name} ${this.#out()} ; echo changed > ${other}/${name}`;
  }
}

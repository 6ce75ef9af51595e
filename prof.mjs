import { readFileSync } from 'node:fs';
import { connect } from './server/src/platform/database/connect.ts';
import { buildSearch } from './server/src/directory/search/build-search.ts';
import { matchOf } from './server/src/directory/search/match-conditions.sql.ts';
import { rankMatches } from './server/src/directory/search/rank-matches.queries.ts';
import { countSearch } from './server/src/directory/lists/count-by-filter.ts';
import { listAgents } from './server/src/directory/lists/list-agents.ts';
import { readSynonyms } from './server/src/catalog/listings/synonyms.ts';
const [pid,,,port]=readFileSync(process.env.D+'/postgres/postmaster.pid','utf8').split('\n');
const pw=readFileSync(process.env.D+'/postgres-password','utf8').trim();
const db=connect(`postgres://trust_directory:${pw}@127.0.0.1:${port}/trust_directory`,{poolSize:4});
const syn=readSynonyms('server/synonyms.json');
const qs=readFileSync('/work/shared/data/search-intents.ndjson','utf8').trim().split('\n').map(l=>JSON.parse(l).query).slice(0,Number(process.env.N??25)).concat(['mcp','server','mcp server','agent','claude code']);
const T={}; const add=(k,ms)=>(T[k]??=[]).push(ms);
const timed=async(k,f)=>{const t=performance.now(); const r=await f(); add(k,performance.now()-t); return r;};
for (let r=0;r<3;r++) for (const q of qs) {
  const s=await timed('build',()=>buildSearch(db,q,syn));
  const m=matchOf(s,[],true);
  await timed('count',()=>countSearch(db,m));
  const t=performance.now(); await rankMatches(db,s,m,()=>[]); const ms=performance.now()-t; add('rank',ms); if(ms>60) console.log('rank',q,Math.round(ms),m.expected,s.terms.length);
  await timed('list',()=>listAgents(db,{q,sort:'relevance',limit:20,offset:0,cursor:null,synonyms:syn}));
}
for (const [k,v] of Object.entries(T)){v.sort((a,b)=>a-b); console.log(k,'median',v[v.length>>1].toFixed(1),'p95',v[Math.floor(v.length*.95)].toFixed(1),'max',v.at(-1).toFixed(1));}
await db.close();

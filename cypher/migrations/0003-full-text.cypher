// What: full-text indexes over search terms that come already analysed, and over `marks`: the scope and the days of
//       the clocks, as words (`s…` scope, `f…` valid from, `t…` valid to, `r…` recorded, `u…` superseded).
// Why: the scope and the clocks restrict a search inside the index, before its best hits are taken. What stands and
//      what was superseded are indexed apart, so that history does not slow a question about the present.
// servers: >=5.26

CREATE FULLTEXT INDEX memory_standing_text IF NOT EXISTS
FOR (f:StandingFact) ON EACH [f.terms, f.marks]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};

CREATE FULLTEXT INDEX memory_superseded_text IF NOT EXISTS
FOR (f:SupersededFact) ON EACH [f.terms, f.marks]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};

CREATE FULLTEXT INDEX memory_chunk_text IF NOT EXISTS
FOR (c:Chunk) ON EACH [c.terms, c.context, c.marks]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};

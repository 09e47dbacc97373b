"""The store on Neo4j: a graph that people can read, with both clocks on every fact and every edge."""

package main

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

const setting = "scheduling.mode"
const valueOf = "SELECT value FROM system_proxy.settings WHERE key = ?"

func told(what string, seen any) {
	fmt.Printf("%s: %v\n", what, seen)
}

// columns returns the names of the columns, after all rows were read by pages of that size.
func columns(session *gocql.Session, cql string, size int) (string, int) {
	iter := session.Query(cql).PageSize(size).Iter()
	names := []string{}
	for _, column := range iter.Columns() {
		names = append(names, column.Name)
	}
	if _, err := iter.SliceMap(); err != nil {
		return describe(err), 0
	}
	return strings.Join(names, ","), len(names)
}

// texts returns the only column of a result.
func texts(session *gocql.Session, size int, cql string, values ...any) []string {
	iter := session.Query(cql, values...).PageSize(size).Iter()
	all := []string{}
	text := ""
	for iter.Scan(&text) {
		all = append(all, text)
	}
	if err := iter.Close(); err != nil {
		all = append(all, describe(err))
	}
	return all
}

// ended returns the error of scans that were ended; the first ones may be over before.
func ended(session *gocql.Session) any {
	for i := 0; i < 20; i++ {
		var mutex sync.Mutex
		var started, waiting sync.WaitGroup
		var failed error
		for n := 0; n < 64; n++ {
			started.Add(1)
			waiting.Add(1)
			go func() {
				defer waiting.Done()
				query := session.Query("SELECT * FROM " + keyspace + ".t")
				started.Done()
				if err := query.Exec(); err != nil {
					mutex.Lock()
					failed = err
					mutex.Unlock()
				}
			}()
		}
		started.Wait()
		session.Query("DELETE FROM system_proxy.requests WHERE keyspace_name = ?", keyspace).Exec()
		waiting.Wait()
		if failed != nil {
			return failed
		}
	}
	return "no scan"
}

// console reads tables of system_proxy, changes a setting and changes it back, and ends scans.
func console(tables []string) {
	session, err := cluster(4, nil).CreateSession()
	if err != nil {
		told("session", err)
		return
	}
	defer session.Close()
	for _, table := range tables {
		cql := "SELECT * FROM system_proxy." + table
		whole, count := columns(session, cql, 5000)
		if paged, _ := columns(session, cql, 2); paged != whole {
			told(table, "not the same columns")
		} else {
			told(table, count)
		}
	}
	nodes := "SELECT node FROM system_proxy.queues"
	told("pages", fmt.Sprint(texts(session, 3, nodes)) == fmt.Sprint(texts(session, 5000, nodes)))
	classes := map[string]bool{}
	for _, class := range texts(session, 5000, "SELECT class FROM system_proxy.queues WHERE class = 'range'") {
		classes[class] = true
	}
	distinct := []string{}
	for class := range classes {
		distinct = append(distinct, class)
	}
	sort.Strings(distinct)
	told("where", distinct)
	value := func() string { return strings.Join(texts(session, 5000, valueOf, setting), ",") }
	told("bound", value())
	told("json", strings.Join(texts(session, 5000, "SELECT JSON key, value FROM system_proxy.settings WHERE key = ?", setting), ","))
	if err := session.Query("UPDATE system_proxy.settings SET value = ? WHERE key = ?", "observe", setting).Exec(); err != nil {
		told("change", err)
	}
	told("changed", value())
	if err := session.Query("DELETE FROM system_proxy.settings WHERE key = ?", setting).Exec(); err != nil {
		told("change", err)
	}
	told("changed back", value())
	told("ended", ended(session))
}

// What gocql sees at HOST:PORT, line by line.
//
// Usage: client HOST PORT KEYSPACE [USER PASSWORD | CA | console TABLE... | load ROWS HOST:PORT...]
//
// With CA, a PEM file, it reads one row over TLS, or tells why it does not. With console, it reads
// these tables of system_proxy and uses its commands. With load, it reads, writes and scans
// KEYSPACE.t through all of these proxies until its input ends.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/apache/cassandra-gocql-driver/v2/snappy"
)

var host, keyspace string
var port int

func say(what string, seen ...any) {
	fmt.Printf("%s: %v\n", what, seen)
}

func describe(err error) string {
	var request gocql.RequestError
	if errors.As(err, &request) {
		return fmt.Sprintf("%T %#x %s", err, request.Code(), request.Message())
	}
	return fmt.Sprintf("%T %s", err, err)
}

func attempt(session *gocql.Session, what, cql string, values ...any) {
	iter := session.Query(cql, values...).Iter()
	columns := []string{}
	for _, column := range iter.Columns() {
		columns = append(columns, column.Name+" "+fmt.Sprint(column.TypeInfo.Type()))
	}
	rows, err := iter.SliceMap()
	if err != nil {
		say(what, describe(err))
		return
	}
	lines := []string{}
	for _, row := range rows {
		line := []string{}
		for name, value := range row {
			line = append(line, fmt.Sprintf("%s=%v", name, value))
		}
		sort.Strings(line)
		lines = append(lines, strings.Join(line, ","))
	}
	say(what, columns, lines, iter.Warnings())
}

func cluster(version int, compressor gocql.Compressor) *gocql.ClusterConfig {
	config := gocql.NewCluster(host)
	config.Port = port
	config.ProtoVersion = version
	config.Compressor = compressor
	config.Consistency = gocql.LocalQuorum
	config.Timeout = 20 * time.Second
	config.ConnectTimeout = 20 * time.Second
	config.NumConns = 1
	config.HostFilter = gocql.HostFilterFunc(func(h *gocql.HostInfo) bool {
		return h.ConnectAddress().String() == host && h.Port() == port
	})
	config.Logger = nothing{}
	return config
}

// nothing is a logger that is silent.
type nothing struct{}

func (nothing) Error(string, ...gocql.LogField)   {}
func (nothing) Warning(string, ...gocql.LogField) {}
func (nothing) Info(string, ...gocql.LogField)    {}
func (nothing) Debug(string, ...gocql.LogField)   {}

// agree waits until all nodes have the schema: this session is connected to one of them only.
func agree(session *gocql.Session) {
	for i := 0; i < 200; i++ {
		versions := map[string]bool{}
		for _, table := range []string{"local", "peers_v2"} {
			rows, _ := session.Query("SELECT schema_version FROM system." + table).Iter().SliceMap()
			for _, row := range rows {
				versions[fmt.Sprint(row["schema_version"])] = true
			}
		}
		if len(versions) == 1 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func schema(session *gocql.Session) {
	for _, cql := range []string{
		"CREATE KEYSPACE IF NOT EXISTS $ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
		"CREATE TABLE IF NOT EXISTS $ks.t (p int, c int, v text, PRIMARY KEY (p, c))",
		"CREATE TABLE IF NOT EXISTS $ks.n (k text PRIMARY KEY, n counter)",
	} {
		attempt(session, "change", strings.ReplaceAll(cql, "$ks", keyspace))
		agree(session)
	}
}

func statements(session *gocql.Session) {
	t := keyspace + ".t"
	attempt(session, "insert", "INSERT INTO "+t+" (p, c, v) VALUES (1, 1, 'a')")
	attempt(session, "read", "SELECT * FROM "+t+" WHERE p = 1")
	attempt(session, "json", "SELECT JSON * FROM "+t+" WHERE p = 1")
	var waiting sync.WaitGroup
	var failed sync.Map
	for c := 0; c < 40; c++ {
		waiting.Add(1)
		go func(c int) {
			defer waiting.Done()
			if err := session.Query("INSERT INTO "+t+" (p, c, v) VALUES (?, ?, ?)", 2, c, "row "+strconv.Itoa(c)).Exec(); err != nil {
				failed.Store(c, describe(err))
			}
		}(c)
	}
	waiting.Wait()
	failed.Range(func(key, value any) bool { say("failed", key, value); return true })
	attempt(session, "prepared", "SELECT c, v FROM "+t+" WHERE p = ? AND c > ?", 2, 35)
	attempt(session, "unset", "INSERT INTO "+t+" (p, c, v) VALUES (?, ?, ?)", 1, 5, gocql.UnsetValue)
	applied, err := session.Query("INSERT INTO " + t + " (p, c) VALUES (1, 1) IF NOT EXISTS").MapScanCAS(map[string]any{})
	say("lwt", applied, err)
	attempt(session, "system", "SELECT key, cluster_name FROM system.local WHERE key = ?", "local")
	attempt(session, "count", "SELECT count(*) FROM system.local")
}

func batches(session *gocql.Session) {
	t := keyspace + ".t"
	for _, kind := range []gocql.BatchType{gocql.LoggedBatch, gocql.UnloggedBatch} {
		batch := session.Batch(kind)
		batch.Query("INSERT INTO "+t+" (p, c, v) VALUES (?, ?, ?)", 3, 1, "one")
		batch.Query("INSERT INTO " + t + " (p, c, v) VALUES (3, 2, 'two')")
		say("batch", kind, batch.Exec())
	}
	batch := session.Batch(gocql.CounterBatch)
	batch.Query("UPDATE "+keyspace+".n SET n = n + ? WHERE k = ?", int64(1), "a")
	say("counters", batch.Exec())
	attempt(session, "read", "SELECT * FROM "+t+" WHERE p = 3")
}

func pages(session *gocql.Session) {
	var state []byte
	for {
		iter := session.Query("SELECT c FROM "+keyspace+".t WHERE p = ?", 2).PageSize(11).PageState(state).Iter()
		state = iter.PageState()
		rows, err := iter.SliceMap()
		if err != nil || len(rows) == 0 {
			say("page", err)
			return
		}
		say("page", len(rows), rows[0]["c"], len(state) > 0)
		if len(state) == 0 {
			break
		}
	}
	rows, err := session.Query("SELECT * FROM " + keyspace + ".t").PageSize(7).Iter().SliceMap()
	say("all", len(rows), err)
}

func failures(session *gocql.Session) {
	for _, cql := range []string{
		"SELEC 1",
		"SELECT * FROM $ks.nothing",
		"SELECT nothing FROM $ks.t",
		"SELECT * FROM $ks.t WHERE v = 'x'",
		"CREATE TABLE $ks.t (k int PRIMARY KEY)",
	} {
		attempt(session, "error", strings.ReplaceAll(cql, "$ks", keyspace))
	}
}

func details(session *gocql.Session, version int) {
	if version >= 4 {
		iter := session.Query("SELECT v FROM " + keyspace + ".t WHERE p = 2 AND c = 1").CustomPayload(map[string][]byte{"k": []byte("v")}).Iter()
		payload := iter.GetCustomPayload()
		say("payload", payload, iter.Close())
	}
	// The driver learns of new tables by events, which may be on their way still.
	var metadata *gocql.KeyspaceMetadata
	var err error
	for i := 0; i < 100 && (err != nil || metadata == nil || len(metadata.Tables) < 2); i++ {
		metadata, err = session.KeyspaceMetadata(keyspace)
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		say("metadata", describe(err))
		return
	}
	tables := []string{}
	for name := range metadata.Tables {
		tables = append(tables, name)
	}
	sort.Strings(tables)
	say("tables", tables, len(metadata.Tables["t"].Columns))
}

func run(version int, compressor gocql.Compressor) {
	say("version", version)
	session, err := cluster(version, compressor).CreateSession()
	if err != nil {
		say("connect", describe(err))
		return
	}
	defer session.Close()
	schema(session)
	statements(session)
	batches(session)
	pages(session)
	failures(session)
	details(session, version)
}

func authenticated(user, password string) {
	for _, who := range [][2]string{{user, password}, {user, "wrong"}, {"nobody", "x"}} {
		config := cluster(4, nil)
		config.Authenticator = gocql.PasswordAuthenticator{Username: who[0], Password: who[1]}
		session, err := config.CreateSession()
		if err != nil {
			say("refused", describe(err))
			continue
		}
		attempt(session, "role", "SELECT cluster_name FROM system.local")
		session.Close()
	}
}

func encrypted(authority string) {
	config := cluster(5, nil)
	config.SslOpts = &gocql.SslOptions{CaPath: authority, EnableHostVerification: true}
	session, err := config.CreateSession()
	if err != nil {
		say("refused", describe(err))
		return
	}
	defer session.Close()
	attempt(session, "read", "SELECT key FROM system.local")
}

func main() {
	host, keyspace = os.Args[1], os.Args[3]
	port, _ = strconv.Atoi(os.Args[2])
	if len(os.Args) > 4 && os.Args[4] == "console" {
		console(os.Args[5:])
		return
	}
	if len(os.Args) > 4 && os.Args[4] == "load" {
		load(os.Args[5:])
		return
	}
	if len(os.Args) > 5 {
		authenticated(os.Args[4], os.Args[5])
		return
	}
	if len(os.Args) > 4 {
		encrypted(os.Args[4])
		return
	}
	run(3, nil)
	run(4, snappy.SnappyCompressor{})
	run(5, nil)
}
